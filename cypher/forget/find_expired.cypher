// Finds the thoughts of a namespace that have expired and still have their text: how many, and the first $take of them.
:param namespace => 'default';
:param take => 500;
CYPHER 25
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, expires_at)
WHERE t.namespace = $namespace AND t.expires_at <= datetime()
  AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
WITH t ORDER BY t.expires_at, t.id
RETURN count(t) AS total, collect([t.id, toString(t.expires_at)])[..$take] AS expired
