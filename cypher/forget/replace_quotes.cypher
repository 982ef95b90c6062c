// Replaces texts that nodes have from others, and removes those that are null. An entity whose description is removed waits for a new vector.
:param namespace => 'default';
:param rows => [{id: 'entity-1', properties: {description: null}, embedded: true}];
CYPHER 25
UNWIND $rows AS row
MATCH (n:Thought|Entity|Observation {id: row.id}) WHERE n.namespace = $namespace
SET n += row.properties
FOREACH (_ IN CASE WHEN row.embedded THEN [1] ELSE [] END |
  SET n.embedding_deferred = true
  REMOVE n.embedding_a, n.embedding_b)
RETURN count(n) AS replaced
