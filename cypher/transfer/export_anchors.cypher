// Reads the anchors of a namespace, part by part, for an export.
:param namespace => 'default';
CYPHER 25
MATCH (a:Anchor) WHERE a.namespace = $namespace
RETURN properties(a) AS properties ORDER BY a.root, a.id, a.number
