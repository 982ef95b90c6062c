// Removes the mark of entities and thoughts whose MENTIONS are stored (see read_unmentioned).
:param ids => ['entity-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (n:Thought|Entity {id: id})
WITH n ORDER BY n.id
REMOVE n.mentions_deferred
