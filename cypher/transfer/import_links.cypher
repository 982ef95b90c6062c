// Creates the relationships of an export that do not exist. A row has all those of one type between two nodes that have one id
// of their own, or none; as many as are missing are created. Rows whose ends do not exist are not among those returned.
:param namespace => 'default';
:param rows => [{number: 0, from_kind: 'thought', from: 'thought-2', type: 'FOLLOWS', to_kind: 'thought', to: 'thought-1', own: '', items: [{}]}];
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  WITH row WHERE row.from_kind = 'thought'
  MATCH (a:Thought {id: row.from}) RETURN a
  UNION ALL
  WITH row WHERE row.from_kind = 'entity'
  MATCH (a:Entity {id: row.from}) RETURN a
  UNION ALL
  WITH row WHERE row.from_kind = 'observation'
  MATCH (a:Observation {id: row.from}) RETURN a
}
CALL (row) {
  WITH row WHERE row.to_kind = 'thought'
  MATCH (b:Thought {id: row.to}) RETURN b
  UNION ALL
  WITH row WHERE row.to_kind = 'entity'
  MATCH (b:Entity {id: row.to}) RETURN b
  UNION ALL
  WITH row WHERE row.to_kind = 'observation'
  MATCH (b:Observation {id: row.to}) RETURN b
  UNION ALL
  WITH row WHERE row.to_kind = 'session'
  MATCH (b:Session {namespace: $namespace, id: row.to}) RETURN b
  UNION ALL
  WITH row WHERE row.to_kind = 'action'
  MATCH (b:Action {namespace: $namespace, id: row.to}) RETURN b
  UNION ALL
  WITH row WHERE row.to_kind = 'pending'
  MATCH (b:Pending {namespace: $namespace, id: row.to}) RETURN b
}
WITH row, a, b WHERE a.namespace = $namespace AND b.namespace = $namespace
WITH row, a, b, COUNT { MATCH (a)-[r]->(b) WHERE type(r) = row.type AND coalesce(r.id, '') = row.own } AS there
CALL (row, a, b, there) {
  UNWIND row.items[there..] AS item
  CREATE (a)-[r:$(row.type)]->(b) SET r = item, r.noted_at = datetime.realtime()
  RETURN count(r) AS created
}
RETURN row.number AS number, created
