// Leaves a Removed without a text for each node, so that no other machine brings it back. Deletes facts, and entities with the facts and merged entities that they have by now. The name of a merged entity that is deleted is no
// alias of the kept one any more, so it becomes free.
:param ids => ['entity-1'];
:param namespace => 'default';
CYPHER 25
UNWIND $ids AS id
MATCH (n:Entity|Observation {id: id}) WHERE n.namespace = $namespace
SET n.lock = 0
WITH n, [(n)-[:MERGED_INTO]->(kept:Entity) | kept] AS kept, [(n)<-[:ABOUT|MERGED_INTO]-(part) | part] AS parts
FOREACH (entity IN kept |
  // part: aliases(entity, $ids)
  SET entity.aliases = COLLECT { MATCH (entity)<-[:MERGED_INTO]-(stub:Entity) WHERE stub.name <> entity.name AND NOT stub.id IN $ids RETURN DISTINCT stub.name AS name ORDER BY name }
  // end of part
)
// Later than they were stated and related, whatever the clocks say.
WITH n, parts, reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [x IN [n] + parts | x.stated_at] + COLLECT { UNWIND [n] + parts AS x MATCH (x)-[r]-() RETURN r.changed_at } | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END) AS at
FOREACH (gone IN [n] + parts |
  MERGE (removed:Removed {namespace: $namespace, id: gone.id})
  SET removed.removed_at = CASE WHEN removed.removed_at > at THEN removed.removed_at ELSE at END
  // part: changed(removed)
  SET removed.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [removed.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    removed.noted_at = datetime.realtime(), removed.replica = null
  // end of part
)
FOREACH (part IN parts | DETACH DELETE part)
DETACH DELETE n
RETURN count(*) AS deleted
