// Deletes at most $take nodes of a namespace with everything that leads to them, thoughts first: a session with many thoughts
// would be one large transaction. Most are found by indexes; the last branch, which reads all nodes of the database, finds the others.
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
  MATCH (n:Observation) USING INDEX n:Observation(namespace, entity_id, fact_key)
  WHERE n.namespace = $namespace AND n.entity_id IS NOT NULL AND n.fact_key IS NOT NULL
  RETURN n LIMIT $take
  UNION ALL
  MATCH (n:Thought|Session|Entity|Observation|Action|Pending|Removed|Waiting|SyncPlace|SyncSource) WHERE n.namespace = $namespace
  RETURN n LIMIT $take
}
WITH DISTINCT n LIMIT $take
DETACH DELETE n
RETURN count(*) AS deleted
