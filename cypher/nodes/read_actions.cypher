// Reads actions by their ids, one row for each to which a visible thought led.
:param ids => ['action-1'];
:param namespace => 'default';
:param own_session => '';
CYPHER 25
UNWIND $ids AS id
MATCH (a:Action {namespace: $namespace, id: id})
WHERE EXISTS {
  (a)<-[:FOR_ACTION]-(t:Thought) WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
}
RETURN a.id AS id,
  CASE WHEN a.created_at IS :: ZONED DATETIME THEN a.created_at END  // part: zoned(a.created_at)
  AS created_at
