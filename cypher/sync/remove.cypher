// Deletes what other homes removed, and remembers it, each with its latest time, for what comes later. What was stated after that stays,
// and so does its entity, which is then stated, too; of the facts and relationships of what stays, those that are older go. What is trusted more
// than $most_trust stays, and what such a home removes is remembered only if it was here. One row after another. So relationships, by both ends;
// those that the removal of an end takes are remembered, too, or a home that reads them later, or had them at an entity that was merged, would have them.
:param namespace => 'default';
:param most_trust => 3;
:param rows => [{id: 'fact-1', removed_at: datetime(), replica: 'replica'}];
CYPHER 25
UNWIND $rows AS row
// In: row. Out: gone, how many nodes were deleted.
CALL (row) {
  OPTIONAL MATCH (n:Entity|Observation {id: row.id}) WHERE n.namespace = $namespace
  FOREACH (x IN CASE WHEN n IS NULL THEN [] ELSE [n] END | SET x.lock = 0)
  WITH row, n, [(n)<-[:ABOUT|MERGED_INTO]-(part) | part] AS parts, [(n)-[:MERGED_INTO]->(kept:Entity) | kept] AS kept
  WITH row, n, [n] + coalesce(parts, []) AS all, kept
  WITH row, n, all, kept, any(x IN all WHERE coalesce(x.stated_at, x.recorded_at) > row.removed_at) AS stays, any(x IN all WHERE x.trust > $most_trust) AS trusted
  WITH row, n, kept, coalesce(stays, false) AS stays, CASE
    WHEN n IS NULL OR (stays OR trusted) AND $most_trust < 3 THEN []
    WHEN stays THEN [x IN all WHERE x:Observation AND x <> n AND coalesce(x.stated_at, x.recorded_at) <= row.removed_at]
    ELSE all END AS gone
  FOREACH (id IN CASE WHEN $most_trust >= 3 OR size(gone) > 0 THEN [row.id] ELSE [] END + [x IN gone | x.id] |
    MERGE (removed:Removed {namespace: $namespace, id: id})
    FOREACH (later IN CASE WHEN coalesce(removed.removed_at < row.removed_at, true) THEN [removed] ELSE [] END |
      SET later.removed_at = row.removed_at, later.noted_at = datetime.realtime(), later.replica = CASE id WHEN row.id THEN row.replica END))
  FOREACH (x IN CASE WHEN stays AND NOT coalesce(n.stated_at, n.recorded_at) > row.removed_at THEN [n] ELSE [] END |
    SET x.stated_at = row.removed_at + duration({microseconds: 1})
    // part: changed(x)
    SET x.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [x.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
      x.noted_at = datetime.realtime(), x.replica = null
    // end of part
  )
  FOREACH (old IN CASE WHEN stays AND $most_trust >= 3 THEN [(n)-[r]-() WHERE coalesce(r.changed_at, r.recorded_at, r.created_at) <= row.removed_at | r] ELSE [] END |
    FOREACH (key IN CASE WHEN old.changed_at IS NULL THEN [] ELSE [startNode(old).id + ' ' + type(old) + ' ' + endNode(old).id] END |
      MERGE (cut:Removed {namespace: $namespace, id: key})
      SET cut.removed_at = CASE WHEN cut.removed_at > row.removed_at THEN cut.removed_at ELSE row.removed_at END, cut.noted_at = datetime.realtime(), cut.replica = null)
    DELETE old)
  WITH row, gone, CASE WHEN n IN gone THEN kept ELSE [] END AS kept
  FOREACH (x IN gone | FOREACH (r IN [(x)-[later]-() WHERE later.changed_at > row.removed_at AND type(later) <> 'RECALLS' | later] |
    MERGE (cut:Removed {namespace: $namespace, id: startNode(r).id + ' ' + type(r) + ' ' + endNode(r).id})
    SET cut.removed_at = CASE WHEN cut.removed_at > r.changed_at THEN cut.removed_at ELSE r.changed_at + duration({microseconds: 1}) END, cut.noted_at = datetime.realtime(), cut.replica = null))
  FOREACH (x IN gone | DETACH DELETE x)
  FOREACH (entity IN kept |
    // part: aliases(entity)
    SET entity.aliases = COLLECT { MATCH (entity)<-[:MERGED_INTO]-(stub:Entity) WHERE stub.name <> entity.name AND NOT stub.id IN [] RETURN DISTINCT stub.name AS name ORDER BY name }
    // end of part
  )
  RETURN size(gone) AS gone
}
// In: row, with two ends and a type as its id. Out: cut, how many relationships were deleted.
CALL (row) {
  WITH row, split(row.id, ' ') AS end
  MATCH (m:Thought|Entity|Observation {id: end[0]}) WHERE m.namespace = $namespace
  MATCH (n:Thought|Entity|Observation {id: end[2]}) WHERE n.namespace = $namespace
  WITH row, end,
    coalesce([(m)-[:MERGED_INTO]->(kept) | kept][0], m)  // part: kept(m)
    AS a,
    coalesce([(n)-[:MERGED_INTO]->(kept) | kept][0], n)  // part: kept(n)
    AS b
  MATCH (a)-[r]->(b)
  WHERE type(r) = end[1] AND coalesce(r.changed_at <= row.removed_at, true) AND coalesce(r.trust, a.trust, 2) <= $most_trust
  DELETE r
  RETURN count(*) AS cut
}
RETURN sum(gone + cut) AS removed
