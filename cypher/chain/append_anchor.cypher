// Appends the line of an anchor to the log of a namespace's anchors, which is stored as the leaves of anchors with the root
// 'log': one line each, numbered from 0, all with the id of the log. The lock is an entry of an index, of a node that is
// never visible to others. Nothing is appended to a log that was damaged, that is lost although anchors are stored, or that
// would not have $least entries afterwards. With $anew, the stored log is set aside, and another one begins.
:param namespace => 'default';
:param id => randomUUID();
:param created_at => datetime();
:param line => 'legacymind-anchor 1 root=00';
:param least => 0;
:param anew => false;
CYPHER 25
MERGE (lock:LegacyMind {id: 'anchors of ' + $namespace})
WITH lock
CALL () {
  MATCH (a:Anchor) USING INDEX a:Anchor(namespace, root) WHERE $anew AND a.namespace = $namespace AND a.root = 'log'
  SET a.root = 'log ' + coalesce(toStringOrNull(a.id), '')
}
CALL () {
  MATCH (a:Anchor) USING INDEX a:Anchor(namespace, root) WHERE a.namespace = $namespace AND a.root = 'log'
  RETURN count(a) AS size, collect(DISTINCT a.id) AS ids, count(DISTINCT
    CASE
      WHEN NOT coalesce(a.id =~ '[0-9a-f-]{36}', false) OR a.number IS NOT :: INTEGER NOT NULL THEN null
      WHEN a.leaves IS NOT :: LIST<STRING NOT NULL> NOT NULL THEN null
      WHEN size(a.leaves) = 1 AND a.number >= 0 THEN a.number
    END) AS numbers, max(a.number) AS last
}
WITH lock, size, coalesce(ids[0], $id) AS id, CASE
  WHEN size = 0 THEN $anew OR NOT EXISTS { (a:Anchor) WHERE a.namespace = $namespace AND a.root IS NOT NULL }
  ELSE size(ids) = 1 AND numbers = size AND last = size - 1
END AS sound
FOREACH (_ IN CASE WHEN sound AND size + 1 >= $least THEN [1] ELSE [] END |
  CREATE (:Anchor {namespace: $namespace, root: 'log', id: id, number: size, created_at: $created_at, leaves: [$line]}))
DELETE lock
RETURN id, size + 1 AS size, sound
