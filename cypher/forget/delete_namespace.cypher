// Deletes at most $take nodes of a namespace with everything that leads to them, thoughts first: a session with many thoughts
// would be one large transaction.
:param namespace => 'none';
:param take => 1000;
CYPHER 25
CALL () {
  MATCH (n:Thought) WHERE n.namespace = $namespace
  RETURN n LIMIT $take
  UNION ALL
  WITH 1 AS one WHERE NOT EXISTS { (:Thought {namespace: $namespace}) }
  MATCH (n:Session|Entity|Observation|Action|Pending|Anchor) WHERE n.namespace = $namespace
  RETURN n LIMIT $take
}
DETACH DELETE n
RETURN count(*) AS deleted
