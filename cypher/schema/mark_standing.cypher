// Marks stored thoughts as standing preferences or instructions.
:param ids => ['thought-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (t:Thought {id: id})
SET t.standing = true
