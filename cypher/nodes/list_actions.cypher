// Lists the actions of a namespace to which a visible thought led, in the order of their ids, along the index of their
// key.
:param namespace => 'default';
:param own_session => '';
:param after => '';
:param take => 10;
CYPHER 25
MATCH (a:Action) USING INDEX SEEK a:Action(namespace, id)
WHERE a.namespace = $namespace AND a.id > $after
  AND EXISTS {
    (a)<-[:FOR_ACTION]-(t:Thought) WHERE t.namespace = $namespace
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  }
RETURN a.id AS id,
  CASE WHEN a.created_at IS :: ZONED DATETIME THEN a.created_at END  // part: zoned(a.created_at)
  AS created_at
ORDER BY a.namespace, a.id LIMIT $take
