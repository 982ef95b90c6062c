// States entities again that were forgotten elsewhere before some of their facts were stated or changed, and returns them.
:param namespace => 'default';
:param rows => [{id: 'entity-1', removed_at: datetime()}];
CYPHER 25
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})<-[:ABOUT]-(o:Observation)
WHERE e.namespace = $namespace AND o.changed_at > row.removed_at
WITH e, max(o.changed_at) AS latest
SET e.changed_at = latest, e.noted_at = datetime.realtime(), e.replica = null
RETURN e.id AS id
