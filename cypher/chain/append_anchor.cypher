// Appends the line of an anchor to the log of a namespace's anchors, which is stored as the leaves of an anchor with the root
// 'log'. The lock is an entry of an index, of a node that is never visible to others. A second log, which only an import can
// bring, is not continued.
:param namespace => 'default';
:param id => randomUUID();
:param created_at => datetime();
:param line => 'legacymind-anchor 1 root=00';
CYPHER 25
MERGE (lock:LegacyMind {id: 'anchors of ' + $namespace})
WITH lock
OPTIONAL MATCH (a:Anchor) WHERE a.namespace = $namespace AND a.root = 'log'
WITH lock, a.id AS known, count(a) AS size ORDER BY size DESC, known LIMIT 1
CREATE (entry:Anchor {namespace: $namespace, root: 'log', id: coalesce(known, $id), number: size, created_at: $created_at, leaves: [$line]})
DELETE lock
RETURN entry.id AS id, size + 1 AS size
