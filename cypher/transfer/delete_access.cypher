// Deletes the tokens and the quota of a namespace.
:param namespace => 'none';
CYPHER 25
MATCH (n:AccessToken|Quota {namespace: $namespace})
DELETE n
RETURN count(n) AS deleted
