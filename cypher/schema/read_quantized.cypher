// Reads which of our vector indexes are quantized, as all were at first: they are dropped, and v01 and v02 create
// them anew. The version of the database cannot tell, since it stayed the same when the option came.
:param names => ['thought_embedding_a'];
CYPHER 25
SHOW VECTOR INDEXES YIELD name, options
WHERE name IN $names AND options.indexConfig['vector.quantization.type'] <> 'NONE'
RETURN name
