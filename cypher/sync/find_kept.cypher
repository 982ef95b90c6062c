// Reads into which entities these were merged, or themselves, and when.
:param namespace => 'default';
:param ids => ['entity-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace
WITH id, e,
  coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
  AS root
RETURN id, root.id AS root, e.merged_at AS merged_at
