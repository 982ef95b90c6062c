// Creates the parts of an export's anchors that do not exist. The log of another database
// is set aside, since anchors are appended to one log only.
:param namespace => 'default';
:param rows => [{root: '00', id: 'anchor-1', number: 0, properties: {leaves: ['{}']}}];
CYPHER 25
OPTIONAL MATCH (log:Anchor) USING INDEX log:Anchor(namespace, root) WHERE log.namespace = $namespace AND log.root = 'log'
WITH collect(DISTINCT log.id) AS logs
UNWIND $rows AS row
WITH row, CASE WHEN row.root = 'log' AND any(id IN logs WHERE id <> row.id) THEN 'log ' + row.id ELSE row.root END AS root
MERGE (a:Anchor {namespace: $namespace, root: root, id: row.id, number: row.number})
ON CREATE SET a += row.properties, a.root = root
RETURN count(a) AS stored
