// Lists the authors of a namespace in order. Each is that of the first visible thought in the index after the one
// before, so that the other thoughts in between are not read.
:param namespace => 'default';
:param own_session => '';
:param after => '';
:param take => 10;
CYPHER 25
RETURN reduce(found = [$after], number IN range(1, $take) | found + COLLECT {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, author)
  WHERE t.namespace = $namespace AND t.author > found[-1]
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  RETURN t.author ORDER BY t.namespace, t.author LIMIT 1
})[1..] AS names
