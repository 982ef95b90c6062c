// Stores entities in bulk, idempotent by normalised name and type. The first type of a name becomes that of its entity
// without one, whose facts were stored before. An implied row (an observation or relation names
// the entity) without a type takes the entity of that name without a type, else the only one of any type, else a new one.
// If there are several, same_name has them, and the caller stores nothing. Rows are sorted by key, so that two writers lock in one order. Given properties replace stored ones;
// others stay, and so does the vector made from a description that stays. An entity that was closed is open again. The
// name of a merged entity means the one that it was merged into. A row without a vector (the embedder is down) marks a
// new or newly described entity as waiting; until it is embedded, it keeps the vector of the old description. A waiting
// entity gets its vector from the next writer with its whole text. Rows have positions in $times instead of times,
// because a client takes 100 us to send a time, and all results are in one row, because it takes as long to read one.
// replan=skip: an import changes the statistics so much that the server would plan the statement again and again, which
// takes as long as storing 500 rows. The plan cannot become a bad one: it finds everything by unique keys.
//
// An id is that of the key, so that it is the same on every machine, unless an entity without a type took it before it got one.
//
// $said are origin, door, by and trust. The description and data of what is more trusted stay, and kept says so.
//
// Nothing is written, and no entity returned, unless the active slot holds the vectors of this model. What gets a vector
// still lacks that of the other slot, if it is in use (maintain/begin_reembed).
:param fingerprint => 'model';
:param namespace => 'default';
:param ns_key => 'n';
:param recorded_at => datetime();
:param said => ({origin: 'user', door: 'python', by: null, trust: 3});
:param valid_to => datetime('9999-12-31');
:param times => [datetime()];
:param rows => [{index: 0, id: randomUUID(), name: 'Ada', name_key: 'ada', entity_type: '', type_key: '', any_type: false, other_forms: null, valid_from: 0, vector: null, properties: {description: 'An engineer'}}];
CYPHER 25 replan=skip
MATCH (database:LegacyMind {id: 'database'})
WHERE database.active_slot = 'embedding_a' AND database.embedding_a_fingerprint = $fingerprint
WITH database.other_slot AS other_slot
UNWIND $rows AS row
// In: row. Out: known_type, the type of the entity that a name without a type means; same_name, those that it may mean.
CALL (row) {
  WITH row WHERE row.any_type
  MATCH (like:Entity {namespace: $namespace, name_key: row.name_key}) WHERE like.type_key >= ''
  WITH like.type_key AS type_key,
    coalesce([(like)-[:MERGED_INTO]->(kept) | kept][0], like)  // part: kept(like)
    AS e
  WITH min(type_key) AS known_type, collect(DISTINCT e) AS alike
  RETURN known_type, CASE WHEN known_type > '' AND size(alike) > 1 THEN [e IN alike | e {.id, .name, .entity_type}] ELSE [] END AS same_name
}
WITH row, other_slot, same_name, coalesce(known_type, row.type_key) AS type_key
// In: row. Out: nothing; gives the entity without a type that of the row, if no other entity of the name has a type.
CALL (row) {
  WITH row WHERE row.type_key > ''
  MATCH (bare:Entity {namespace: $namespace, name_key: row.name_key, type_key: ''})
  WHERE NOT EXISTS {
    MATCH (typed:Entity {namespace: $namespace, name_key: row.name_key}) WHERE typed.type_key > ''
  }
  SET bare.lock = 0
  WITH row, bare WHERE bare.type_key = '' AND bare.merged_at IS NULL AND bare.recorded_at <> $recorded_at
    AND (coalesce(bare.trust, 2) <= $said.trust OR bare.description IS NULL)
  SET bare.type_key = row.type_key, bare.entity_type = row.entity_type
  // part: changed(bare)
  SET bare.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [bare.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    bare.noted_at = datetime.realtime(), bare.replica = null
  // end of part
}
OPTIONAL MATCH (taken:Entity {id: row.id})
WITH row, other_slot, same_name, type_key, CASE WHEN taken IS NULL THEN row.id ELSE randomUUID() END AS id
MERGE (named:Entity {namespace: $namespace, name_key: row.name_key, type_key: type_key})
ON CREATE SET named.id = id, named.is_new = true, named.name = row.name, named.entity_type = row.entity_type,
  named.recorded_at = $recorded_at, named.valid_from = $times[row.valid_from], named.valid_to = $valid_to,
  named.access_count = 0, named.ns_key = $ns_key, named.other_forms = row.other_forms, named.kind = 'entity', named.mentions_deferred = true, named += $said
WITH row, other_slot, same_name, named, named.is_new IS NOT NULL AS created,
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  AS e
REMOVE named.is_new
WITH row, other_slot, same_name, e, created, size(keys(row.properties)) > 0 AS says,
  coalesce(e.trust, 2) <= $said.trust OR e.description IS NULL AND e.data IS NULL AS may
WITH row, other_slot, same_name, e, created, says, may,
  may AND row.properties.description IS NOT NULL
    AND (row.vector IS NOT NULL OR row.properties.description <> coalesce(e.description, '')) AS described
SET e += CASE WHEN may THEN row.properties ELSE {} END,
  e += CASE WHEN may AND says THEN $said ELSE {} END,
  e += CASE WHEN NOT may OR row.properties.description IS NULL THEN {} ELSE {other_forms: row.other_forms} END,
  e += CASE WHEN may AND e.valid_to <= $times[row.valid_from] AND e.quarantined_by IS NULL THEN {valid_to: $valid_to} ELSE {} END
// part: stated(e)
SET e.stated_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [e.stated_at] + COLLECT { MATCH (gone:Removed {namespace: e.namespace, id: e.id}) RETURN gone.removed_at } |
  CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END)
// part: changed(e)
SET e.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [e.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
  e.noted_at = datetime.realtime(), e.replica = null
// end of part
// end of part
WITH row, other_slot, same_name, e, created, described, says AND NOT may AS kept
// In: row, other_slot, e. Out: nothing; sets the vector, or marks the entity as waiting for one.
CALL (row, other_slot, e, created, described) {
  WITH row, other_slot, e
  WHERE created OR described OR e.embedding_a IS NULL AND (e.embedding_deferred IS NULL OR e.description IS NULL)
  SET e.embedding_deferred = CASE WHEN row.vector IS NULL THEN true ELSE other_slot END,
    e.embedding_a_at = CASE WHEN row.vector IS NOT NULL THEN $recorded_at END
  WITH row, e WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(e, 'embedding_a', row.vector)
}
RETURN collect({index: row.index, id: e.id, created: created, deferred: coalesce(e.embedding_deferred IN [true, 'embedding_a'], false), same_name: same_name, kept: CASE WHEN kept THEN [e.name] ELSE [] END}) AS entities
