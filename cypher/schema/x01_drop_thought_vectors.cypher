// Databases of schema 1 have quantized vectors, which v01 replaces; the index is built anew from the stored vectors.
CYPHER 25
DROP INDEX thought_embedding_a IF EXISTS
