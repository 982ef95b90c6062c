// Pins a thought, or unpins it: every context of its namespace begins with the pinned thoughts.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param pinned => true;
CYPHER 25
OPTIONAL MATCH (t:Thought {id: $id, namespace: $namespace})
WHERE (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
WITH t, coalesce(t.pinned, false) AS before
FOREACH (_ IN CASE WHEN t IS NULL OR before = $pinned THEN [] ELSE [1] END | SET t.pinned = $pinned)
RETURN t IS NOT NULL AS found, before
