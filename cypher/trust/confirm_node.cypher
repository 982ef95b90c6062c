// Trusts a thought, a fact or an entity as what the user said. What it wanted to change and could not, it changes now: the
// facts that it was to supersede end when it begins, and its own revisions, solutions and contradictions count. With
// $standing it is a standing preference or instruction from now on, or no longer.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param standing => null;
:param by => null;
:param now => datetime();
CYPHER 25
OPTIONAL MATCH (n:Thought|Entity|Observation {id: $id, namespace: $namespace})
WHERE (n.is_private = false OR n.session_id = $own_session OR NOT n:Thought) AND coalesce(n.found_until > datetime(), true)  // part: visible_node(n)
WITH n, n.trust AS before
FOREACH (_ IN CASE WHEN n IS NULL THEN [] ELSE [1] END |
  SET n.trust = 3, n.confirmed_by = $by, n.confirmed_at = $now,
    n.standing = CASE WHEN $standing IS NULL OR n:Entity OR n.redacted_at IS NOT NULL THEN n.standing WHEN $standing THEN true END
  // part: changed(n)
  SET n.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [n.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    n.noted_at = datetime.realtime(), n.replica = null
  // end of part
)
WITH n, before
// In: n. Out: links, those that count from now on.
CALL (n) {
  MATCH (n)-[link:REVISES|SOLVES|CONTRADICTS]->(:Thought|Entity|Observation)
  SET link.trust = 3
  RETURN count(link) AS links
}
// In: n. Out: ended, the facts that it ends.
CALL (n) {
  MATCH (n:Observation)-[against:CONTRADICTS]->(old:Observation)
  WHERE old.valid_to > n.valid_from AND old.valid_from < n.valid_from
  WITH n, against, old, old.valid_to AS before
  SET old.valid_to = n.valid_from
  // part: changed(old)
  SET old.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [old.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    old.noted_at = datetime.realtime(), old.replica = null
  // end of part
  MERGE (n)-[revises:REVISES]->(old)
  ON CREATE SET revises.created_at = $now, revises.before = before, revises.by = $by, revises.trust = 3
  // part: linked(revises)
  SET revises.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [revises.changed_at] + COLLECT { MATCH (gone:Removed) WHERE gone.namespace = startNode(revises).namespace
      AND gone.id IN [startNode(revises).id, endNode(revises).id, startNode(revises).id + ' ' + type(revises) + ' ' + endNode(revises).id] RETURN gone.removed_at } |
    CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END), revises.noted_at = datetime.realtime(), revises.replica = null
  // end of part
  DELETE against
  RETURN collect(left(old.content, 80)) AS ended
}
RETURN n IS NOT NULL AS found, coalesce(before, 2) < 3 AS changed, ended, n {.origin, .door, .trust} AS said, coalesce(n.standing, false) AS standing
