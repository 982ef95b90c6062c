// Stores relations in bulk: real relationship types, idempotent while one is open. Superseding closes another relation
// of one of the two entities at the moment the new one becomes valid; an id that neither has is returned as unknown, and
// the caller stores nothing. The caller checks a type against an identifier pattern and the reserved types first.
// $new_types are types that the caller has not stored before. Neo4j ends at 65,536 types and never frees one, so then the
// types in use are counted (without $reserved_types), and nothing is stored when there would be more than $max_types. The
// lock comes first, so that two writers cannot both make the last one. A relation made by hand without an id gets one when
// it is stored again. $times are as in remember_entities.
:param namespace => 'default';
:param recorded_at => datetime();
:param times => [datetime(), datetime('9999-12-31')];
:param rows => [];
:param new_types => ['KNOWS'];
:param reserved_types => ['FOLLOWS'];
:param max_types => 1000;
CYPHER 25
CALL () {
  WITH 1 AS always WHERE size($new_types) > 0
  MATCH (d:LegacyMind {id: 'database'})
  SET d.lock = 0
  WITH d
  CALL db.relationshipTypes() YIELD relationshipType AS type
  RETURN collect(type) AS there
}
WITH size([type IN there WHERE NOT type IN $reserved_types]) AS types, [type IN $new_types WHERE NOT type IN there] AS fresh
WITH types, CASE WHEN types + size(fresh) > $max_types THEN fresh ELSE [] END AS refused
CALL (refused) {
  WITH refused WHERE size(refused) = 0
  UNWIND $rows AS row
  MATCH (a:Entity {id: row.source_id}) WHERE a.namespace = $namespace
  MATCH (b:Entity {id: row.target_id}) WHERE b.namespace = $namespace
  MERGE (a)-[r:$(row.type) {valid_to: $times[row.valid_to]}]->(b)
  ON CREATE SET r.id = row.id, r.recorded_at = $recorded_at, r.valid_from = $times[row.valid_from]
  WITH row, a, b, r, coalesce(r.id = row.id, false) AS created
  SET r += row.properties
  FOREACH (_ IN CASE WHEN r.id IS NULL THEN [1] ELSE [] END | SET r.id = row.id)
  WITH row, a, b, r, created
  // In: row, a, b. Out: old, the relation that is superseded.
  CALL (row, a, b) {
    UNWIND CASE WHEN row.supersedes IS NULL THEN [] ELSE [a, b] END AS n
    MATCH (n)-[old]-(:Entity)
    WHERE old.id = row.supersedes OR row.supersedes IN old.merged_id // joined with another one by a merge
    RETURN collect(old)[0] AS old
  }
  FOREACH (_ IN CASE WHEN old <> r AND coalesce($times[row.valid_from] < old.valid_to, true) THEN [1] ELSE [] END |
    SET old.valid_to = $times[row.valid_from])
  FOREACH (_ IN CASE WHEN old IS NULL THEN [] ELSE [1] END | SET r.supersedes = row.supersedes)
  RETURN collect({
    index: row.index, id: r.id, created: created, unknown: CASE WHEN old IS NULL THEN row.supersedes END
  }) AS relations
}
RETURN relations, types, refused
