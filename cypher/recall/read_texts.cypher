// Reads the whole texts of memories that ranking has seen only the beginning of.
:param namespace => 'default';
:param ids => ['thought-1'];
:param text_length => 100000;
CYPHER 25
UNWIND $ids AS id
MATCH (n:Thought|Entity|Observation {id: id}) WHERE n.namespace = $namespace
RETURN id, left(coalesce(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END), ''), $text_length) AS text
