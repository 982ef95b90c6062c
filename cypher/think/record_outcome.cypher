// Records an outcome of a thought that the caller may read. A success moves the salience towards 1 and a failure towards 0.05, by $rate times the score of
// the remaining distance, so it stays within these bounds. A success creates SOLVES and makes the thought a playbook,
// unless it was redacted; a failure undoes both.
//
// The problem is $optional.solves, or else the nearest thought of mode debug or stuck among those that this thought
// leads back to. An indexed property marks playbooks, and recall for a stuck thought reads the most salient ones. Each
// outcome has an id, so that an outcome sent twice counts once. One of somebody less trusted than the thought, $optional.trust,
// changes no salience, and makes no playbook of what a file or a page says.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param outcome_id => randomUUID();
:param score => 1.0;
:param rate => 0.2;
:param outcomes_kept => 1000;
:param recorded_at => datetime();
:param optional => ({solves: null, emotional_weight: null, trust: 3, by: null});
CYPHER 25
OPTIONAL MATCH (t:Thought {id: $id, namespace: $namespace})
WHERE CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
// In: the thought, or null. Out: its salience before, and whether an outcome with this id was recorded already, with
// which score. Locks it.
OPTIONAL CALL (t) {
  WITH t WHERE t IS NOT NULL
  SET t.lock = 0
  WITH t
  RETURN coalesce(t.salience, t.significance, 0.5) AS before,
    any(line IN coalesce(t.outcomes, []) WHERE line STARTS WITH $outcome_id + ' ') AS repeated,
    head([line IN coalesce(t.outcomes, []) WHERE line STARTS WITH $outcome_id + ' ' | toFloat(split(line, ' ')[1])]) AS first_score
}
WITH t, before, coalesce(repeated, false) AS repeated, first_score

// In: the thought. Out: the problem that it solves, or no row.
OPTIONAL CALL (t) {
  WITH t WHERE $optional.solves IS NOT NULL
  MATCH (p:Thought {id: $optional.solves, namespace: $namespace}) WHERE p <> t
    AND CASE p.is_private WHEN false THEN true ELSE p.session_id = $own_session END AND coalesce(p.found_until > datetime(), true)  // part: visible(p)
  RETURN p, 0 AS hops
  UNION ALL
  WITH t WHERE $score > 0 AND $optional.solves IS NULL
  MATCH path = ANY SHORTEST (t)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]->{1,20}(p:Thought)
  WHERE p.mode IN ['debug', 'stuck'] AND p.namespace = $namespace
    AND (coalesce(p.trust, 2) >= 2 OR p.error_signature = t.error_signature)  // of a failed command no guess
    AND CASE p.is_private WHEN false THEN true ELSE p.session_id = $own_session END AND coalesce(p.found_until > datetime(), true)  // part: visible(p)
  RETURN p, length(path) AS hops ORDER BY hops, p.id LIMIT 1
}
WITH t, before, repeated, first_score, head(collect(p)) AS problem

// In: the thought and its problem. Out: true. Writes nothing for a repeated outcome or an unknown problem.
OPTIONAL CALL (t, before, repeated, problem) {
  WITH t, before, repeated, problem WHERE t IS NOT NULL AND NOT repeated AND NOT (problem IS NULL AND $optional.solves IS NOT NULL)
  SET t.salience = CASE WHEN t.trust > $optional.trust THEN before ELSE before + $rate * $score * CASE WHEN $score > 0 THEN 1 - before ELSE before - 0.05 END END,
      t.outcome_score = CASE WHEN t.trust > $optional.trust AND $score < 0 THEN t.outcome_score ELSE $score END,
      t.emotional_weight = coalesce($optional.emotional_weight, t.emotional_weight),
      t.outcomes = (coalesce(t.outcomes, []) + [$outcome_id + ' ' + toString($score) + ' ' + toString($recorded_at) + coalesce(' ' + $optional.by, '')])[-$outcomes_kept..]
  // part: changed(t)
  SET t.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [t.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    t.noted_at = datetime.realtime(), t.replica = null
  // end of part
  WITH t, problem
  // In: the thought and its problem. Out: nothing; a failure deletes SOLVES.
  CALL (t, problem) {
    WITH t, problem WHERE $score < 0
    MATCH (t)-[s:SOLVES]->(solved) WHERE (problem IS NULL OR solved = problem) AND NOT coalesce(s.trust > $optional.trust, false)
    MERGE (removed:Removed {namespace: $namespace, id: t.id + ' SOLVES ' + solved.id})
    SET removed.removed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [s.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END)
    // part: changed(removed)
    SET removed.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [removed.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
      removed.noted_at = datetime.realtime(), removed.replica = null
    // end of part
    DELETE s
  }
  // In: the thought and its problem. Out: nothing; a success creates SOLVES.
  CALL (t, problem) {
    WITH t, problem WHERE problem IS NOT NULL AND $score > 0
    MERGE (t)-[s:SOLVES]->(problem)
    ON CREATE SET s.created_at = $recorded_at, s.trust = $optional.trust, s.by = $optional.by
    SET s.weight = $score
    // part: linked(s)
    SET s.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [s.changed_at] + COLLECT { MATCH (gone:Removed) WHERE gone.namespace = startNode(s).namespace
        AND gone.id IN [startNode(s).id, endNode(s).id, startNode(s).id + ' ' + type(s) + ' ' + endNode(s).id] RETURN gone.removed_at } |
      CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END), s.noted_at = datetime.realtime(), s.replica = null
    // end of part
  }
  SET t.playbook = CASE WHEN $score > 0 AND t.redacted_at IS NULL AND coalesce(t.trust, 2) >= 2 AND EXISTS { (t)-[:SOLVES]->() } THEN true
    WHEN $score < 0 AND NOT coalesce(t.trust > $optional.trust, false) THEN null ELSE t.playbook END
  RETURN true AS done
}
RETURN t IS NOT NULL AS found, $optional.solves IS NULL OR problem IS NOT NULL AS solvable, first_score, {
  repeated: repeated, salience_before: round(before, 4), salience: round(t.salience, 4), outcome_score: t.outcome_score,
  emotional_weight: t.emotional_weight, playbook: coalesce(t.playbook = true, false), solves: [
    (t)-[:SOLVES]->(p) WHERE
    CASE p.is_private WHEN false THEN true ELSE p.session_id = $own_session END AND coalesce(p.found_until > datetime(), true)  // part: visible(p)
    | p.id],
  error_signature: problem.error_signature
} AS outcome
