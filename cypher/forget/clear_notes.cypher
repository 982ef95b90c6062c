// Deletes relations between entities, and the notes of other relationships.
:param namespace => 'default';
:param ids => ['5:0:0'];
CYPHER 25
UNWIND $ids AS id
MATCH (n)-[r]->(m) WHERE elementId(r) = id AND n.namespace = $namespace
FOREACH (_ IN CASE WHEN n:Thought THEN [1] ELSE [] END | REMOVE r.note)
FOREACH (one IN CASE WHEN n:Thought THEN [] ELSE [r] END | DELETE one)
RETURN count(*) AS cleared
