// Reads all tokens of `legacymind serve`, of all namespaces: a request names none, and the token decides its namespace.
CYPHER 25
MATCH (t:AccessToken)
// Without a namespace, a node made by hand would admit to all.
WHERE t.digest IS :: STRING NOT NULL AND t.namespaces IS :: LIST<STRING NOT NULL> NOT NULL AND size(t.namespaces) > 0 AND t.role IN ['read', 'write', 'curate', 'admin']
RETURN t.digest AS digest, t {.id, .name, .namespaces, .role, trust: coalesce(t.trust, 'agent'), .created_at} AS token
ORDER BY t.created_at, t.id
