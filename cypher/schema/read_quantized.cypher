// Reads which of our vector indexes are quantized, as all were at first: they are dropped, and v01 and v02 create
// them anew. The schema version does not show it, since it stayed the same when the option was added.
:param names => ['thought_embedding_a'];
CYPHER 25
SHOW VECTOR INDEXES YIELD name, options
WHERE name IN $names AND options.indexConfig['vector.quantization.type'] <> 'NONE'
RETURN name
