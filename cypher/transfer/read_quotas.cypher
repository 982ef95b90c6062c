// Reads the quotas of all namespaces. They are few, so they have no index.
CYPHER 25
MATCH (q:Quota) WHERE q.namespace IS :: STRING NOT NULL
RETURN q.namespace AS name, toIntegerOrNull(q.thoughts) AS thoughts, toIntegerOrNull(q.text) AS text
