// Closes or deletes one relation of an entity, which is named by its id and belongs to no index: the relationships of
// the entity are read. $delete = false closes it: valid_to becomes $now; what begins later stays. With $dry_run nothing is
// written.
:param id => 'entity-1';
:param relation_id => 'relation-1';
:param namespace => 'default';
:param now => datetime();
:param delete => false;
:param dry_run => true;
CYPHER 25
OPTIONAL MATCH (named:Entity {id: $id, namespace: $namespace})
WITH
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  AS e
OPTIONAL MATCH (e)-[r]-(other)
WHERE 'Entity' IN labels(other)  // Not other:Entity, with which a plan may read every entity of the database.
  AND (r.id = $relation_id OR $relation_id IN r.merged_id) // joined with another one by a merge
WITH r LIMIT 1
WITH r, startNode(r).name + ' ' + type(r) + ' ' + endNode(r).name AS label, coalesce(r.valid_to <= $now, false) AS closed, coalesce(r.valid_from > $now, false) AS later
FOREACH (one IN CASE WHEN r IS NULL OR $dry_run OR $delete OR closed OR later THEN [] ELSE [r] END | SET one.valid_to = $now)
FOREACH (one IN CASE WHEN r IS NULL OR $dry_run OR NOT $delete THEN [] ELSE [r] END | DELETE one)
RETURN label, closed, later
