// The authors of a namespace, to list them.
CYPHER 25
CREATE RANGE INDEX thought_authors IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.author)
