// Reads the vectors of nodes in a slot. A vector is returned as one value; a list of floats takes twenty times as long.
:param ids => ['thought-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (n:Thought|Entity|Observation {id: id}) WHERE n.embedding_a IS NOT NULL
RETURN id, n.namespace AS namespace, vector(n.embedding_a, size(n.embedding_a), FLOAT32) AS vector
