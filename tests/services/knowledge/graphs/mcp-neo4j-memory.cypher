// A graph as mcp-neo4j-memory writes it, with one entity without observations and one without a name.
CREATE (a:Memory:person {name: 'Ada', type: 'person', observations: ['Lives in Lyon', 'Speaks German'], mark: $mark})
CREATE (e:Memory:machine {name: 'Engine', type: 'machine', observations: [], mark: $mark})
CREATE (a)-[:WORKS_ON]->(e)
CREATE (a)-[:`depends_on`]->(e)
CREATE (:Memory:machine {name: 'Mute', type: 'machine', mark: $mark})
CREATE (:Memory:machine {name: '', type: 'machine', observations: ['Nameless'], mark: $mark})
