// Pins a thought, or unpins it: every context of its namespace begins with the pinned thoughts. An agent, $trust 2, pins no
// thought of a file or from outside, and does not undo the user's pin; kept says so.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param pinned => true;
:param trust => 3;
:param most => 20;
CYPHER 25
OPTIONAL MATCH (t:Thought {id: $id, namespace: $namespace})
WHERE CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
WITH t, coalesce(t.pinned, false) AS before, CASE WHEN $pinned THEN $trust < 3 AND ($trust < 2 OR t.trust < 2) ELSE t.pin_trust > $trust END AS kept
FOREACH (_ IN CASE WHEN t IS NULL OR before = $pinned OR kept THEN [] ELSE [1] END |
  SET t.pinned = $pinned, t.pin_trust = CASE WHEN $pinned THEN $trust END
  // part: changed(t)
  SET t.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [t.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    t.noted_at = datetime.realtime(), t.replica = null
  // end of part
)
// In: the parameters. Out: how many thoughts are pinned, at most one more than a context shows.
CALL () {
  MATCH (p:Thought) USING INDEX SEEK p:Thought(namespace, pinned)
  WHERE p.namespace = $namespace AND p.pinned = true
    AND CASE p.is_private WHEN false THEN true ELSE p.session_id = $own_session END AND coalesce(p.found_until > datetime(), true)  // part: visible(p)
  WITH p LIMIT $most + 1
  RETURN count(p) AS pins
}
RETURN t IS NOT NULL AS found, before, coalesce(kept, false) AS kept, pins
