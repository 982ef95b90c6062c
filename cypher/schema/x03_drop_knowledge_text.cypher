// Drops the index of schema versions before 7, which lacks the aliases of entities.
CYPHER 25
DROP INDEX knowledge_text IF EXISTS
