// Gives entities and observations made by hand what LegacyMind stores of them. One that is stored already is left as it
// is, and its id returned as same; so is each without $store. The SET on lock comes before the last check: of two that
// adopt a node, one does.
:param store => true;
:param rows => [{element_id: '', namespace: 'default', keys: {name_key: 'ada', type_key: ''}, properties: {id: randomUUID(), ns_key: 'n'}}];
CYPHER 25
UNWIND $rows AS row
MATCH (n:Entity|Observation) WHERE elementId(n) = row.element_id
CALL (n, row) {
  OPTIONAL MATCH (e:Entity {namespace: row.namespace, name_key: row.keys.name_key, type_key: row.keys.type_key}) WHERE e <> n
  RETURN e.id AS same_entity
}
CALL (n, row) {
  OPTIONAL MATCH (o:Observation {namespace: row.namespace, entity_id: row.keys.entity_id, fact_key: row.keys.fact_key}) WHERE o <> n
  RETURN o.id AS same_fact
}
WITH n, row, coalesce(same_entity, same_fact) AS same
CALL (n, row, same) {
  WITH n, row WHERE same IS NULL AND $store
  SET n.lock = 0
  WITH n, row WHERE n.ns_key IS NULL
  SET n += row.properties
  // part: changed(n)
  SET n.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [n.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    n.noted_at = datetime.realtime(), n.replica = null
  // end of part
  RETURN count(n) = 1 AS adopted
}
RETURN row.element_id AS element_id, adopted, same
