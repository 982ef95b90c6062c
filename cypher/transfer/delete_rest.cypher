// Deletes at most $take nodes of a namespace that lack the properties of the indexes of transfer/delete_namespace: somebody made
// them by hand, or they are of synchronisation. It reads all nodes of the database.
:param namespace => 'none';
:param take => 1000;
CYPHER 25
MATCH (n:Thought|Session|Entity|Observation|Action|Pending|Removed|Waiting|SyncPlace|SyncSource) WHERE n.namespace = $namespace
WITH n LIMIT $take
DETACH DELETE n
RETURN count(*) AS deleted
