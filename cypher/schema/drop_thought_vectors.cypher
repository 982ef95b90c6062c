// Drops the vector index of thoughts of a slot that is cleared.
CYPHER 25
DROP INDEX thought_embedding_a IF EXISTS
