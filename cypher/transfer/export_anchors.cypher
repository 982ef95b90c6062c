// Reads the anchors of a namespace, part by part, for an export. A part that has no id, root or number was made by hand, and
// proves nothing.
:param namespace => 'default';
CYPHER 25
MATCH (a:Anchor) USING INDEX a:Anchor(namespace, root) WHERE a.namespace = $namespace AND a.root IS :: STRING NOT NULL
  AND a.id IS :: STRING NOT NULL AND a.number IS :: INTEGER NOT NULL
RETURN properties(a) AS properties ORDER BY a.root, a.id, a.number
