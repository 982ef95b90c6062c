// Merges entities into one, the first of $named. Each is named by its id, or by its name if no entity has the id; one
// that was merged before means the one that it was merged into. unclear lists the names that are not those of exactly
// one entity; then nothing is written.
//
// A merged entity stays as a stub with merged_at and MERGED_INTO to the kept one, so its id and its key (c05) keep their
// meaning: a stub has no vector, no text in the index, and no validity. Its name is one of the kept entity's aliases,
// so that searches for it find that. Its relationships move to the kept entity, with merged_from, its id. Two relations with ids
// stay two, as two facts do. Of others of the same type to the same node, one stays, as in sync/store_links; made by hand, with the properties of both.
// A relation between merged entities goes: it would be one of the entity with itself; so does one that was removed between the kept entity and the other. A merge that arrived from another machine is no change of this one's, but travels on; what it
// changes of the kept entity comes with that.
:param named => [{position: 0, id: 'entity-1', name_key: 'ada lovelace'}, {position: 1, id: 'entity-2', name_key: 'ada'}];
:param namespace => 'default';
:param now => datetime();
:param end => datetime('9999-12-31');
:param author => null;
:param reason => null;
:param arrived => false;
:param dry_run => true;
CYPHER 25
UNWIND $named AS one
// In: one. Out: found, the entities that it names.
CALL (one) {
  // In: one. Out: rows of e, and way: 0 if it has the id, 1 if it has the name.
  CALL (one) {
    MATCH (e:Entity {id: one.id}) WHERE e.namespace = $namespace
    RETURN e, 0 AS way
    UNION ALL
    MATCH (e:Entity {namespace: $namespace, name_key: one.name_key}) WHERE e.type_key >= ''
    RETURN e, 1 AS way ORDER BY e.type_key LIMIT 20
  }
  WITH way,
    coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
    AS e
  WITH e, min(way) AS way ORDER BY way, e.type_key
  WITH collect({node: e, way: way}) AS each
  RETURN [x IN each WHERE x.way = each[0].way | x.node] AS found
}
WITH one.position AS position, found ORDER BY position
WITH collect({position: position, found: found}) AS asked
WITH [x IN asked WHERE size(x.found) <> 1 | [x.position, [e IN x.found | e {.id, .name, .entity_type}]]] AS unclear,
  [x IN asked WHERE size(x.found) = 1 | x.found[0]] AS nodes
WITH unclear, CASE WHEN size(unclear) = 0 THEN nodes ELSE [] END AS nodes
WITH unclear, nodes[0] AS keep, nodes[1..] AS nodes
// In: keep, nodes. Out: others, the ones to merge into it, in the order of their ids.
CALL (keep, nodes) {
  UNWIND nodes AS other
  WITH DISTINCT keep, other WHERE other <> keep
  WITH other ORDER BY other.id
  RETURN collect(other) AS others
}
// The locks, before anything else is read. Changing the key and changing it back (in two SET) waits for writers that have
// just found the entity by it, and lets those that look for it wait for the end of the merge.
FOREACH (x IN CASE WHEN $dry_run OR size(others) = 0 THEN [] ELSE [keep] + others END | SET x.lock = 0)
FOREACH (x IN CASE WHEN $dry_run THEN [] ELSE others END |
  FOREACH (key IN [x.type_key] | SET x.type_key = key + ' ' SET x.type_key = key))
WITH unclear, keep, others, any(x IN [keep] + others WHERE x.merged_at IS NOT NULL) AS changed
WITH unclear, keep, changed, CASE WHEN changed THEN [] ELSE others END AS others

// In: keep, others. Out: moving, the relationships that move.
CALL (keep, others) {
  UNWIND others AS owner
  MATCH (owner)-[r]-(x)
  WHERE x <> keep AND NOT x IN others AND (x.merged_at IS NULL OR type(r) = 'MERGED_INTO')
  WITH owner, r, x ORDER BY owner.id, elementId(r)
  RETURN collect({owner: owner, r: r, x: x}) AS moving
}
WITH *, keep.description IS NULL AND any(x IN others WHERE x.description IS NOT NULL) AS described,
  CASE WHEN $dry_run THEN [] ELSE others END AS written,
  [x IN others | {
    node: x,
    observations: size([one IN moving WHERE one.owner = x AND type(one.r) = 'ABOUT']),
    relations: size([one IN moving WHERE one.owner = x AND one.x:Entity AND type(one.r) <> 'MERGED_INTO'])
  }] AS merged
// In: keep, moving. Out: nothing; moves the relationships one after another.
CALL (keep, moving) {
  UNWIND CASE WHEN $dry_run THEN [] ELSE moving END AS one
  // In: keep, one, a relationship that moves. Out: nothing.
  CALL (keep, one) {
    WITH keep, one.owner AS owner, one.r AS r, one.x AS x, startNode(one.r) = one.owner AS out
    OPTIONAL MATCH (keep)-[known]-(x)
    WHERE type(known) = type(r) AND (startNode(known) = keep) = out AND coalesce(known.id, '') = coalesce(r.id, '')
      AND (r.id IS NOT NULL OR coalesce(known.valid_to, $end) = coalesce(r.valid_to, $end))
    WITH keep, owner, r, x, out, collect(known)[0] AS known,
      EXISTS { MATCH (gone:Removed {namespace: $namespace, id: CASE WHEN out THEN keep.id + ' ' + type(r) + ' ' + x.id ELSE x.id + ' ' + type(r) + ' ' + keep.id END}) WHERE gone.removed_at >= r.changed_at } AS removed,
      EXISTS { (:Observation {namespace: $namespace, entity_id: keep.id, fact_key: x.fact_key}) } AS taken
    FOREACH (_ IN CASE WHEN known IS NULL AND out AND NOT removed THEN [1] ELSE [] END |
      CREATE (keep)-[made:$(type(r))]->(x)
      SET made = properties(r), made.merged_from = coalesce(r.merged_from, owner.id))
    FOREACH (_ IN CASE WHEN known IS NULL AND NOT out AND NOT removed THEN [1] ELSE [] END |
      CREATE (x)-[made:$(type(r))]->(keep)
      SET made = properties(r), made.merged_from = coalesce(r.merged_from, owner.id))
    FOREACH (k IN CASE WHEN known IS NULL THEN [] ELSE [known] END |
      FOREACH (name IN [name IN keys(r) WHERE k[name] IS NULL AND coalesce(k.changed_at, k.rank) IS NULL] | SET k[name] = r[name])
      FOREACH (_ IN CASE WHEN r.changed_at > k.changed_at OR r.rank < k.rank THEN [1] ELSE [] END | SET k = properties(r)))
    FOREACH (fact IN CASE WHEN type(r) = 'ABOUT' THEN [x] ELSE [] END |
      SET fact.fact_key = fact.fact_key + CASE WHEN taken THEN ' ' + fact.id ELSE '' END, fact.entity_id = keep.id,
        fact.merged_from = nullIf(coalesce(fact.merged_from, owner.id), keep.id))
    DELETE r
  }
}

// The kept entity, and the stubs.
FOREACH (x IN CASE WHEN $arrived AND size(written) > 0 THEN [keep] + written ELSE [] END |
  SET x.noted_at = datetime.realtime(), x.replica = null)
FOREACH (_ IN CASE WHEN $arrived OR size(written) = 0 THEN [] ELSE [1] END |
  // part: stated(keep)
  SET keep.stated_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [keep.stated_at] + COLLECT { MATCH (gone:Removed {namespace: keep.namespace, id: keep.id}) RETURN gone.removed_at } |
    CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END)
  // part: changed(keep)
  SET keep.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [keep.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    keep.noted_at = datetime.realtime(), keep.replica = null
  // end of part
  // end of part
)
FOREACH (x IN CASE WHEN $arrived THEN [] ELSE written END |
  // part: changed(x)
  SET x.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [x.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    x.noted_at = datetime.realtime(), x.replica = null
  // end of part
)
FOREACH (other IN written |
  FOREACH (r IN [(other)-[r:!MERGED_INTO]-() | r] | DELETE r)
  SET keep.other_forms = coalesce(keep.other_forms + ' ' + other.other_forms, keep.other_forms, other.other_forms)
  FOREACH (name IN [name IN CASE WHEN $arrived THEN [] ELSE keys(other) END WHERE keep[name] IS NULL AND name <> 'replica' AND NOT name STARTS WITH 'embedding' AND NOT name STARTS WITH 'merged_'] |
    SET keep[name] = other[name])
  SET keep.access_count = coalesce(keep.access_count, 0) + coalesce(other.access_count, 0),
    keep.last_accessed = CASE WHEN keep.last_accessed > other.last_accessed THEN keep.last_accessed ELSE coalesce(other.last_accessed, keep.last_accessed) END,
    keep.valid_from = CASE WHEN NOT $arrived AND other.valid_from < keep.valid_from THEN other.valid_from ELSE keep.valid_from END,
    keep.valid_to = CASE WHEN NOT $arrived AND keep.valid_to < other.valid_to THEN other.valid_to ELSE keep.valid_to END)
FOREACH (_ IN CASE WHEN described AND NOT $dry_run THEN [1] ELSE [] END | SET keep.embedding_deferred = true)
FOREACH (one IN CASE WHEN $dry_run THEN [] ELSE merged END | FOREACH (other IN [one.node] |
  SET other.kind = 'alias', other.merged_at = $now, other.merged_by = $author, other.merged_reason = $reason,
    other.merged_observations = one.observations, other.merged_relations = one.relations,
    other.valid_to = CASE WHEN other.valid_from > $now THEN other.valid_from WHEN $now < other.valid_to THEN $now ELSE other.valid_to END
  REMOVE other.access_count, other.last_accessed, other.ns_key, other.other_forms, other.embedding_a, other.embedding_b, other.embedding_deferred
  CREATE (other)-[:MERGED_INTO]->(keep)))
FOREACH (_ IN CASE WHEN size(written) > 0 THEN [1] ELSE [] END |
  // part: aliases(keep)
  SET keep.aliases = COLLECT { MATCH (keep)<-[:MERGED_INTO]-(stub:Entity) WHERE stub.name <> keep.name AND NOT stub.id IN [] RETURN DISTINCT stub.name AS name ORDER BY name }
  // end of part
)
RETURN unclear, changed,
  keep {.id, .name, .entity_type} AS kept,
  [one IN merged | {id: one.node.id, name: one.node.name, entity_type: one.node.entity_type, observations: one.observations, relations: one.relations}] AS merged,
  size([one IN moving WHERE NOT one.x:Entity AND type(one.r) <> 'ABOUT']) AS links
