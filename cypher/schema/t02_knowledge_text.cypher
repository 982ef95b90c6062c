// Stemmed full text over entities, with the names of those merged into them, and observations; ns_key and
// other_forms as in thought_text.
CYPHER 25
CREATE FULLTEXT INDEX knowledge_text IF NOT EXISTS
FOR (n:Entity|Observation) ON EACH [n.name, n.aliases, n.entity_type, n.description, n.content, n.other_forms, n.ns_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}
