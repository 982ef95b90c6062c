// Those vector indexes of ours that are quantized, as all were at first: they are given up, and v01 and v02 make them
// anew. Not told by the version of the database, since it stayed the same when the option came.
CYPHER 25
SHOW VECTOR INDEXES YIELD name, options
WHERE name IN $names AND options.indexConfig['vector.quantization.type'] <> 'NONE'
RETURN name
