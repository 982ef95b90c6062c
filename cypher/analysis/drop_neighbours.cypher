// Removes similarities that an earlier analysis stored and this one did not find again, at most $take. It never removes a
// relationship that an agent created.
:param namespace => 'default';
:param now => datetime();
:param take => 1000;
CYPHER 25
MATCH (a:Thought)
WHERE a.namespace = $namespace AND a.recorded_at > datetime({year: 1})
MATCH (a)-[r:ASSOCIATES]->(:Thought)
WHERE r.made_by = 'knn' AND r.created_at < $now
WITH a, r ORDER BY a.id LIMIT $take
DELETE r
RETURN count(r) AS dropped
