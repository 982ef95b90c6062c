// Reads the whole texts of memories that ranking has seen only the beginning of.
:param namespace => 'default';
:param ids => ['thought-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (n:Thought|Entity|Observation {id: id}) WHERE n.namespace = $namespace
RETURN id, coalesce(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END), '') AS text
