// Reads the names of entities: their own, and those of the entities that were merged into them.
:param namespace => 'default';
:param ids => ['entity-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace
RETURN [e.name] + coalesce(e.aliases, []) AS names
