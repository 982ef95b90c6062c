// Drops the vector index of knowledge of a slot that is cleared.
CYPHER 25
DROP INDEX knowledge_embedding_a IF EXISTS
