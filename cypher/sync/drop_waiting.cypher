// Drops lines that wait no more.
:param namespace => 'default';
:param ids => ['digest'];
CYPHER 25
UNWIND $ids AS id
MATCH (w:Waiting {namespace: $namespace, id: id})
DELETE w
