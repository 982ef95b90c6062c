// As x01, for knowledge.
CYPHER 25
DROP INDEX knowledge_embedding_a IF EXISTS
