// Creates a lateral relationship from a thought to another thought, an entity or an observation, or with $remove
// deletes it, if nobody more trusted made it. Repeating it changes its weight and note. The thoughts themselves and their chains do not change. The
// caller takes $type from a fixed list; with $between_thoughts it leads only to a thought. A redacted thought
// gets no note.
:param id => 'thought-1';
:param target_id => 'thought-2';
:param type => 'ASSOCIATES';
:param namespace => 'default';
:param own_session => '';
:param now => datetime();
:param weight => 1.0;
:param note => null;
:param remove => false;
:param between_thoughts => false;
:param trust => 3;
:param by => null;
CYPHER 25
OPTIONAL MATCH (t:Thought {id: $id, namespace: $namespace})
WHERE CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
OPTIONAL MATCH (n:Thought|Entity|Observation {id: $target_id, namespace: $namespace})
WHERE (n.is_private = false OR n.session_id = $own_session OR NOT n:Thought) AND coalesce(n.found_until > datetime(), true)  // part: visible_node(n)
WITH t,
  coalesce([(n)-[:MERGED_INTO]->(kept) | kept][0], n)  // part: kept(n)
  AS n
// The lock, before the relationship is looked up: two writers create one.
FOREACH (_ IN CASE WHEN t IS NULL OR n IS NULL THEN [] ELSE [1] END | SET t.lock = 0)
WITH t, n
OPTIONAL MATCH (t)-[r]->(n) WHERE type(r) = $type
WITH t, n, CASE WHEN r.trust > $trust THEN null ELSE r END AS r, r IS NOT NULL AND ($remove OR r.made_by IS NULL) AS existed
CALL (t, n, r) {
  WITH t, n, r WHERE t IS NOT NULL AND n IS NOT NULL AND NOT $remove AND (n:Thought OR NOT $between_thoughts)
    AND ($note IS NULL OR coalesce(t.redacted_at, n.redacted_at) IS NULL)
  MERGE (t)-[made:$($type)]->(n)
  ON CREATE SET made.created_at = $now, made.trust = $trust, made.by = $by
  WITH t, made WHERE NOT made.trust > $trust OR made.trust IS NULL
  SET made.weight = $weight, made.note = coalesce($note, made.note)
  // A similarity that an analysis stored becomes the caller's own, and no further analysis replaces it.
  SET made.created_at = CASE WHEN made.made_by IS NULL THEN made.created_at ELSE $now END
  REMOVE made.made_by
  // part: linked(made)
  SET made.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [made.changed_at] + COLLECT { MATCH (gone:Removed) WHERE gone.namespace = startNode(made).namespace
      AND gone.id IN [startNode(made).id, endNode(made).id, startNode(made).id + ' ' + type(made) + ' ' + endNode(made).id] RETURN gone.removed_at } |
    CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END), made.noted_at = datetime.realtime(), made.replica = null
  // end of part
  // part: changed(t)
  SET t.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [t.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    t.noted_at = datetime.realtime(), t.replica = null
  // end of part
}
FOREACH (old IN CASE WHEN $remove AND r IS NOT NULL THEN [r] ELSE [] END |
  MERGE (removed:Removed {namespace: $namespace, id: t.id + ' ' + $type + ' ' + n.id})
  SET removed.removed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [old.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END)
  // part: changed(removed)
  SET removed.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [removed.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    removed.noted_at = datetime.realtime(), removed.replica = null
  // end of part
  DELETE old)
RETURN t IS NOT NULL AS found, existed,
  toLower([label IN labels(n) WHERE label IN ['Thought', 'Entity', 'Observation']][0])  // part: kind(n)
  AS target, coalesce(t.redacted_at, n.redacted_at) IS NOT NULL AS redacted
