// Databases of schema 1 have quantized vectors, which v01 gives up; the index is made anew from what is stored.
CYPHER 25
DROP INDEX thought_embedding_a IF EXISTS
