// Fills in what nodes made by hand lack. An entity or fact that is stored already is left as it is, and its id
// returned as same. The SET on lock comes before the last check, so that no value is overwritten that somebody has set
// since the node was read: such a node is skipped.
:param rows => [{element_id: '', namespace: 'default', name_key: 'ada', type_key: '', entity_id: null, fact_key: null, missing: {id: randomUUID(), ns_key: 'n'}}];
CYPHER 25
UNWIND $rows AS row
MATCH (n:Entity|Observation|Thought) WHERE elementId(n) = row.element_id
CALL (n, row) {
  OPTIONAL MATCH (e:Entity {namespace: row.namespace, name_key: row.name_key, type_key: row.type_key}) WHERE e <> n
  RETURN e.id AS same_entity
}
CALL (n, row) {
  OPTIONAL MATCH (o:Observation {namespace: row.namespace, entity_id: row.entity_id, fact_key: row.fact_key}) WHERE o <> n
  RETURN o.id AS same_fact
}
WITH n, row, coalesce(same_entity, same_fact) AS same
CALL (n, row, same) {
  WITH n, row WHERE same IS NULL
  SET n.lock = 0
  WITH n, row WHERE none(name IN keys(row.missing) WHERE n[name] IS NOT NULL)
  SET n += row.missing, n.stored_at = CASE WHEN n:Thought THEN datetime.realtime() END
  RETURN count(n) = 1 AS adopted
}
RETURN row.element_id AS element_id, adopted, same
