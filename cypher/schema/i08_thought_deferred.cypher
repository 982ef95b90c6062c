// Thoughts that wait for their vectors: none, except after an embedder was down.
CYPHER 25
CREATE RANGE INDEX thought_deferred IF NOT EXISTS FOR (t:Thought) ON (t.embedding_deferred)
