// Stores observations in bulk, idempotent by entity and fact. Superseding closes the older one at the moment the
// newer becomes valid and creates REVISES: the older one stays, and a search as of an earlier time finds it. A fact that
// is stored again keeps the earlier start, but takes a given one (row.starts) for an unknown one; what ended at its old
// start ends at the new one. It takes a given end (row.ends), unless another fact ended it. A fact that is valid twice is
// stored twice: only one that meets the time of the row is the same. The key of a fact is that of its text; of several,
// the last one has it, and the others have it with their id. The id of the first is that of its key, on every machine. changed has what was stored
// before and is valid at another time now; if one of them is emptied, or the superseded fact is about another entity
// (foreign), the caller stores nothing. An id that is not in the
// namespace, or is that of a private thought of another session than $own_session, is returned as unknown, and the caller
// stores nothing. With null, as in an import, no thought is private. A row without a vector (the embedder is down) marks
// what it creates as waiting for one. $said are origin, door, by and trust; a fact that was learned from a thought is not more trusted
// than that. What is more trusted stays as it is, and kept names it: then the row's fact stands beside it. $times and replan=skip are as in remember_entities, and so are the slots.
:param fingerprint => 'model';
:param namespace => 'default';
:param own_session => '';
:param ns_key => 'n';
:param said => ({origin: 'user', door: 'python', by: null, trust: 3});
:param recorded_at => datetime();
:param times => [datetime(), datetime('9999-12-31')];
:param rows => [{index: 0, id: randomUUID(), entity_id: 'entity-1', fact_key: 'key', content: 'Ada lives in Lyon', title: 'Ada lives in Lyon', other_forms: null, valid_from: 0, valid_to: 1, starts: true, ends: false, vector: null, properties: {}, learned_from: null, supersedes: null}];
CYPHER 25 replan=skip
MATCH (database:LegacyMind {id: 'database'})
WHERE database.active_slot = 'embedding_a' AND database.embedding_a_fingerprint = $fingerprint
WITH database.other_slot AS other_slot
UNWIND $rows AS row
// In: row. Out: e, o, the fact of the row; created; since and until, when it was valid before. One row after another.
CALL (row) {
  MATCH (e:Entity {id: row.entity_id}) WHERE e.namespace = $namespace
  // In: row, e. Out: key, that of the same fact; last, the fact that has the key of the text, and whether it has ended.
  CALL (row, e) {
    MATCH (known:Observation) USING INDEX known:Observation(namespace, entity_id, fact_key)
    WHERE known.namespace = $namespace AND known.entity_id = e.id AND known.fact_key STARTS WITH row.fact_key
    WITH known, known.valid_to <= $times[row.valid_from] AS ended ORDER BY known.valid_to
    RETURN collect(CASE WHEN NOT ended AND known.valid_from < $times[row.valid_to] THEN known.fact_key END)[0] AS key,
      collect(CASE WHEN known.fact_key = row.fact_key THEN {node: known, ended: ended} END)[0] AS last
  }
  OPTIONAL MATCH (learned:Thought {id: row.learned_from, namespace: $namespace})
  OPTIONAL MATCH (taken:Observation {id: row.id})
  WITH e, key, last, CASE WHEN taken IS NULL THEN row.id ELSE randomUUID() END AS id, CASE WHEN learned.trust < $said.trust THEN {origin: learned.origin, door: $said.door, by: $said.by, trust: learned.trust} ELSE $said END AS said
  FOREACH (past IN CASE WHEN key IS NULL AND last.ended THEN [last.node] ELSE [] END | SET past.fact_key = row.fact_key + ' ' + past.id)
  MERGE (o:Observation {namespace: $namespace, entity_id: e.id,
    fact_key: coalesce(key, row.fact_key + CASE WHEN last.ended = false THEN ' ' + id ELSE '' END)})
  ON CREATE SET o.id = id, o.is_new = true, o.content = row.content, o.title = row.title, o.recorded_at = $recorded_at, o.valid_from = $times[row.valid_from],
    o.valid_to = $times[row.valid_to], o.access_count = 0, o.ns_key = $ns_key, o.other_forms = row.other_forms, o.kind = 'observation', o += said
  WITH e, o, said, o.is_new IS NOT NULL AS created
  REMOVE o.is_new
  RETURN e, o, created, o.valid_from AS since, o.valid_to AS until, said, coalesce(o.trust, 2) <= said.trust AS may
}
SET o += CASE WHEN may THEN row.properties ELSE {} END, o += CASE WHEN said.trust > o.trust THEN said ELSE {} END
SET o.standing = CASE WHEN o.trust < 2 THEN null ELSE o.standing END
FOREACH (_ IN CASE WHEN may AND (row.starts OR row.ends) AND $times[row.valid_from] < since OR may AND row.starts AND since = datetime('0001-01-01') THEN [1] ELSE [] END |
  SET o.valid_from = $times[row.valid_from])
FOREACH (_ IN CASE WHEN may AND row.ends AND NOT EXISTS { (o)<-[:REVISES]-(:Observation) } THEN [1] ELSE [] END |
  SET o.valid_to = $times[row.valid_to])
// part: stated(o)
SET o.stated_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [o.stated_at] + COLLECT { MATCH (gone:Removed {namespace: o.namespace, id: o.id}) RETURN gone.removed_at } |
  CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END)
// part: changed(o)
SET o.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [o.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
  o.noted_at = datetime.realtime(), o.replica = null
// end of part
// end of part
FOREACH (_ IN CASE WHEN created THEN [1] ELSE [] END | CREATE (o)-[:ABOUT]->(e))
WITH row, other_slot, e, o, created, since, until, may, said
// In: row, other_slot, o, created. Out: nothing; sets the vector of a fact that has none, or marks it as waiting for one.
CALL (row, other_slot, o, created) {
  WITH row, other_slot, o WHERE created OR o.embedding_deferred IN [true, 'embedding_a']
  SET o.embedding_deferred = CASE WHEN row.vector IS NULL THEN true ELSE other_slot END,
    o.embedding_a_at = CASE WHEN row.vector IS NOT NULL THEN $recorded_at END
  WITH row, o WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(o, 'embedding_a', row.vector)
}
// In: row, o. Out: unlearned, the id that learned_from names if there is no such thought; links the thought otherwise.
CALL (row, o) {
  OPTIONAL MATCH (t:Thought {id: row.learned_from}) WHERE t.namespace = $namespace
    AND ($own_session IS NULL OR
      CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    )
  FOREACH (_ IN CASE WHEN t IS NULL THEN [] ELSE [1] END | MERGE (o)-[learned:LEARNED_FROM]->(t)
    // part: linked(learned)
    SET learned.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [learned.changed_at] + COLLECT { MATCH (gone:Removed) WHERE gone.namespace = startNode(learned).namespace
        AND gone.id IN [startNode(learned).id, endNode(learned).id, startNode(learned).id + ' ' + type(learned) + ' ' + endNode(learned).id] RETURN gone.removed_at } |
      CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END), learned.noted_at = datetime.realtime(), learned.replica = null
    // end of part
  )
  RETURN CASE WHEN t IS NULL THEN row.learned_from END AS unlearned
}
OPTIONAL MATCH (superseded:Observation {id: row.supersedes}) WHERE superseded.namespace = $namespace
// In: o, row, since, superseded, said. Out: ended, the facts that end at another time now.
CALL (o, row, since, superseded, said) {
  // In: o, row, since, superseded, said. Out: rows of old, a fact that ends, and ending, when.
  CALL (o, row, since, superseded, said) {
    WITH superseded AS old, said, CASE WHEN o.valid_from > $times[row.valid_from] THEN o.valid_from ELSE $times[row.valid_from] END AS ending
    WHERE old <> o AND old.valid_to > ending
      AND coalesce(o.trust, 2) >= coalesce(old.trust, 2)  // part: may_change(o, old)
      AND coalesce(said.trust, 3) >= coalesce(old.trust, 2)  // part: may_change(said, old, 3)
    RETURN old, ending
    UNION
    WITH o WHERE o.valid_from < since
    MATCH (o)-[:REVISES]->(old:Observation) WHERE old.valid_to = since
    RETURN old, o.valid_from AS ending
  }
  WITH old, ending, old.valid_to AS before
  SET old.valid_to = ending
  // part: changed(old)
  SET old.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [old.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    old.noted_at = datetime.realtime(), old.replica = null
  // end of part
  MERGE (o)-[revises:REVISES]->(old)
  ON CREATE SET revises.created_at = $recorded_at, revises.before = before, revises.trust = said.trust, revises.by = said.by
  // part: linked(revises)
  SET revises.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [revises.changed_at] + COLLECT { MATCH (gone:Removed) WHERE gone.namespace = startNode(revises).namespace
      AND gone.id IN [startNode(revises).id, endNode(revises).id, startNode(revises).id + ' ' + type(revises) + ' ' + endNode(revises).id] RETURN gone.removed_at } |
    CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END), revises.noted_at = datetime.realtime(), revises.replica = null
  // end of part
  RETURN collect([old {.id, label: left(old.content, 80), .valid_from, .valid_to}, old.valid_from >= ending]) AS ended
}
FOREACH (x IN CASE WHEN superseded.trust > said.trust AND superseded <> o THEN [superseded] ELSE [] END |
  MERGE (o)-[against:CONTRADICTS]->(x)
  ON CREATE SET against.created_at = $recorded_at, against.trust = said.trust, against.by = said.by
  // part: linked(against)
  SET against.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [against.changed_at] + COLLECT { MATCH (gone:Removed) WHERE gone.namespace = startNode(against).namespace
      AND gone.id IN [startNode(against).id, endNode(against).id, startNode(against).id + ' ' + type(against) + ' ' + endNode(against).id] RETURN gone.removed_at } |
    CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END), against.noted_at = datetime.realtime(), against.replica = null
  // end of part
)
RETURN collect({
  index: row.index, id: o.id, created: created, standing: o.standing, deferred: coalesce(o.embedding_deferred IN [true, 'embedding_a'], false),
  kept: [x IN [superseded, CASE WHEN NOT may AND (row.starts OR row.ends OR row.properties.standing) THEN o END] WHERE x.trust > said.trust | left(x.content, 80)],
  unknown: coalesce(unlearned, CASE WHEN superseded IS NULL THEN row.supersedes END),
  foreign: [(superseded)-[:ABOUT]->(other) WHERE other <> e | other.name][0],
  changed: CASE WHEN created OR o.valid_from = since AND o.valid_to = until THEN ended
    ELSE [[o {.id, label: left(o.content, 80), .valid_from, .valid_to}, o.valid_from >= o.valid_to]] + ended END
}) AS observations
