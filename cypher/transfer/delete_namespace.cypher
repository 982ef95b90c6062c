// Deletes at most $take nodes of a namespace with everything that leads to them, thoughts first: a session with many thoughts
// would be one large transaction. They are found by indexes; transfer/delete_rest finds what is in none.
:param namespace => 'none';
:param take => 1000;
CYPHER 25
CALL () {
  MATCH (n:Thought) USING INDEX n:Thought(namespace, recorded_at) WHERE n.namespace = $namespace AND n.recorded_at IS NOT NULL
  RETURN n LIMIT $take
  UNION ALL
  MATCH (n:Session) USING INDEX n:Session(namespace, id) WHERE n.namespace = $namespace AND n.id IS NOT NULL
  RETURN n LIMIT $take
  UNION ALL
  MATCH (n:Entity) USING INDEX n:Entity(namespace, name_key, type_key)
  WHERE n.namespace = $namespace AND n.name_key IS NOT NULL AND n.type_key IS NOT NULL
  RETURN n LIMIT $take
  UNION ALL
  MATCH (n:Observation) USING INDEX n:Observation(namespace, entity_id, fact_key)
  WHERE n.namespace = $namespace AND n.entity_id IS NOT NULL AND n.fact_key IS NOT NULL
  RETURN n LIMIT $take
  UNION ALL
  MATCH (n:Action) USING INDEX n:Action(namespace, id) WHERE n.namespace = $namespace AND n.id IS NOT NULL
  RETURN n LIMIT $take
  UNION ALL
  MATCH (n:Pending) USING INDEX n:Pending(namespace, id) WHERE n.namespace = $namespace AND n.id IS NOT NULL
  RETURN n LIMIT $take
}
WITH n LIMIT $take
DETACH DELETE n
RETURN count(*) AS deleted
