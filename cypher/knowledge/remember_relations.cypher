// Stores relations in bulk: real relationship types. One that meets the time of the row is the same. Superseding closes another relation
// of one of the two entities at the moment the new one becomes valid; an id that neither has is returned as unknown, and
// the caller stores nothing. Starts and ends move, and changed is, as in remember_observations. The caller checks a type against an identifier pattern and the reserved types first.
// $new_types are types that the caller has not stored before. Neo4j ends at 65,536 types and never frees one, so then the
// types in use are counted (without $reserved_types), and nothing is stored when there would be more than $max_types. The
// lock comes first, so that two writers cannot both make the last one. A relation made by hand without an id gets one when
// it is stored again. $times are as in remember_entities.
:param namespace => 'default';
:param said => ({origin: 'user', door: 'python', by: null, trust: 3});
:param recorded_at => datetime();
:param times => [datetime(), datetime('9999-12-31')];
:param rows => [];
:param new_types => ['KNOWS'];
:param reserved_types => ['FOLLOWS'];
:param max_types => 1000;
CYPHER 25
// In: the parameters. Out: there, the types of all relationships, if there may be a new one.
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
// In: refused. Out: relations, as returned; empty if types were refused.
CALL (refused) {
  WITH refused WHERE size(refused) = 0
  UNWIND $rows AS row
  MATCH (a:Entity {id: row.source_id}) WHERE a.namespace = $namespace
  MATCH (b:Entity {id: row.target_id}) WHERE b.namespace = $namespace
  // In: row, a, b. Out: until, the end of the same relation, or that of the row. MERGE locks what it does not find.
  CALL (row, a, b) {
    MATCH (a)-[known:$(row.type)]->(b) WHERE $times[row.valid_from] < known.valid_to AND known.valid_from < $times[row.valid_to]
    WITH min(known.valid_to) AS first
    RETURN coalesce(first, $times[row.valid_to]) AS until
  }
  // The first relation of this type has the id of its key, on every machine.
  WITH row, a, b, until, CASE WHEN EXISTS { (a)-[x]->(b) WHERE x.id = row.id } THEN randomUUID() ELSE row.id END AS id
  // In: row, a, b, until, id. Out: r, one of those that a merge of entities may have left.
  CALL (row, a, b, until, id) {
    MERGE (a)-[r:$(row.type) {valid_to: until}]->(b)
    ON CREATE SET r.id = id, r.is_new = true, r.recorded_at = $recorded_at, r.valid_from = $times[row.valid_from], r += $said
    RETURN r ORDER BY r.valid_from, r.id LIMIT 1
  }
  WITH row, a, b, r, id, r.is_new IS NOT NULL AS created, r.valid_from AS since, until, coalesce(r.trust, 2) <= $said.trust AS may
  REMOVE r.is_new
  SET r += CASE WHEN may THEN row.properties ELSE {} END, r += CASE WHEN $said.trust > r.trust THEN $said ELSE {} END
  FOREACH (_ IN CASE WHEN r.id IS NULL THEN [1] ELSE [] END | SET r.id = id)
  FOREACH (_ IN CASE WHEN may AND row.starts AND ($times[row.valid_from] < since OR since = datetime('0001-01-01')) THEN [1] ELSE [] END |
    SET r.valid_from = $times[row.valid_from])
  FOREACH (_ IN CASE WHEN may AND row.ends AND r.valid_to = datetime('9999-12-31T00:00:00Z') THEN [1] ELSE [] END | SET r.valid_to = $times[row.valid_to])
  // part: linked(r)
  SET r.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [r.changed_at] + COLLECT { MATCH (gone:Removed) WHERE gone.namespace = startNode(r).namespace
      AND gone.id IN [startNode(r).id, endNode(r).id, startNode(r).id + ' ' + type(r) + ' ' + endNode(r).id] RETURN gone.removed_at } |
    CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END), r.noted_at = datetime.realtime(), r.replica = null
  // end of part
  WITH row, a, b, r, created, since, until, may
  // In: row, a, b, r. Out: old, the relation that this one ends or ended.
  CALL (row, a, b, r) {
    WITH a, b, coalesce(row.supersedes, r.supersedes) AS superseded
    UNWIND CASE WHEN superseded IS NULL THEN [] ELSE [a, b] END AS n
    MATCH (n)-[old]-(other)
    // Not other:Entity, with which a plan may read every entity of the database.
    WHERE 'Entity' IN labels(other) AND old.id = superseded
    RETURN collect(old)[0] AS old
  }
  WITH row, r, created, since, until, may, old, old.valid_from AS old_since,
    CASE WHEN r.valid_from > $times[row.valid_from] THEN r.valid_from ELSE $times[row.valid_from] END AS ending
  WITH row, r, created, since, until, may, old, old_since, ending, CASE
    WHEN old = r OR old IS NULL OR old.trust > $said.trust THEN false
    WHEN row.supersedes IS NOT NULL AND coalesce(ending < old.valid_to, true) THEN true
    ELSE coalesce(r.valid_from < since AND old.valid_to = since, false) END AS ends
  FOREACH (_ IN CASE WHEN ends THEN [1] ELSE [] END |
    SET old.valid_to = ending
    // part: changed(old)
    SET old.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [old.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
      old.noted_at = datetime.realtime(), old.replica = null
    // end of part
    FOREACH (n IN [startNode(old)] |
      // part: changed(n)
      SET n.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [n.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
        n.noted_at = datetime.realtime(), n.replica = null
      // end of part
    ))
  FOREACH (_ IN CASE WHEN old IS NULL OR NOT may OR old.trust > $said.trust OR row.supersedes IS NULL THEN [] ELSE [1] END | SET r.supersedes = row.supersedes)
  WITH row, r, created, may, old, [x IN [
    {r: r, changed: NOT created AND (r.valid_from <> since OR r.valid_to <> until), emptied: r.valid_from >= r.valid_to},
    {r: old, changed: ends, emptied: coalesce(old_since >= ending, false)}
  ] WHERE x.changed | [{
    id: x.r.id, label: startNode(x.r).name + ' ' + type(x.r) + ' ' + endNode(x.r).name,
    valid_from: CASE WHEN x.r.valid_from IS :: ZONED DATETIME THEN x.r.valid_from END,  // part: zoned(x.r.valid_from)
    valid_to: x.r.valid_to
  }, x.emptied]] AS changed
  RETURN collect({
    index: row.index, id: r.id, created: created, changed: changed,
    kept: [x IN [old, CASE WHEN NOT may AND (row.starts OR row.ends OR size(keys(row.properties)) > 0) THEN r END] WHERE x.trust > $said.trust |
      startNode(x).name + ' ' + type(x) + ' ' + endNode(x).name],
    unknown: CASE WHEN old IS NULL THEN row.supersedes END
  }) AS relations
}
RETURN relations, types, refused
