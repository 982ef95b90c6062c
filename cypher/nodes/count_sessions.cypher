// Counts the sessions of a namespace that have a chain, in the index on their ids.
:param namespace => 'default';
CYPHER 25
MATCH (s:Session) USING INDEX SEEK s:Session(namespace, id)
WHERE s.namespace = $namespace AND s.id >= ''
RETURN count(s) AS count
