// Moves the tokens and the quota of a namespace to another one, or deletes them if there is none.
:param namespace => 'none';
:param target => null;
CYPHER 25
MATCH (n:AccessToken|Quota {namespace: $namespace})
FOREACH (_ IN CASE WHEN $target IS NULL THEN [] ELSE [1] END | SET n.namespace = $target)
FOREACH (_ IN CASE WHEN $target IS NULL THEN [1] ELSE [] END | DELETE n)
RETURN count(n) AS moved
