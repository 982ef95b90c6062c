// Lists the tags of a namespace in order, each with the number of visible thoughts that have it. No index has single
// tags in order, so all thoughts of the namespace are read.
:param namespace => 'default';
:param own_session => '';
:param after => '';
:param take => 10;
CYPHER 25
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
WHERE t.namespace = $namespace AND t.created_at IS NOT NULL
  AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  AND (NOT t.id CONTAINS '::')  // part: whole(t)
UNWIND t.tags AS tag
WITH toStringOrNull(tag) AS name, count(*) AS count
WHERE name > $after
RETURN name, count ORDER BY name LIMIT $take
