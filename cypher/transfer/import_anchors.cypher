// Creates the parts of an export's anchors that do not exist. Anchors are few, so they have no index.
:param namespace => 'default';
:param rows => [{root: '00', id: 'anchor-1', number: 0, properties: {leaves: ['{}']}}];
CYPHER 25
UNWIND $rows AS row
MERGE (a:Anchor {namespace: $namespace, root: row.root, id: row.id, number: row.number})
ON CREATE SET a += row.properties
RETURN count(a) AS stored
