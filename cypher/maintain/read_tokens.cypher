// Reads all tokens of `legacymind serve`, of all namespaces: a request names none, and the token decides its namespace.
CYPHER 25
MATCH (t:AccessToken)
// Without a namespace, a node made by hand would admit to all.
WHERE t.digest IS :: STRING NOT NULL AND t.namespace IS :: STRING NOT NULL
RETURN t.id AS id, t.name AS name, t.namespace AS namespace, t.scope AS scope, t.digest AS digest,
  t.created_at AS created_at
ORDER BY created_at, id
