// Reads the leaves of an anchor, streamed in their order. The same heads may have been anchored more than once; the parts of
// one copy have the same id.
:param namespace => 'default';
:param roots => ['00'];
CYPHER 25
MATCH (a:Anchor) USING INDEX a:Anchor(namespace, root) WHERE a.namespace = $namespace AND a.root IN $roots
WITH a ORDER BY a.id, a.number
RETURN a.id AS id, a.leaves AS leaves
