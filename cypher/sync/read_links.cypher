// Reads the relationships of nodes that are new or changed since a time. Those that follow from properties of a thought or a fact are
// made from these again; those of a new thought come with it. Those to
// what stays home stay, too. What one of $present changed is theirs to write.
:param namespace => 'default';
:param ids => ['thought-1'];
:param present => ['replica'];
:param private => false;
:param since => '0001-01-01T00:00:00Z';
CYPHER 25
UNWIND $ids AS id
MATCH (n:Thought|Entity|Observation {id: id})
MATCH (n)-[r]-(m:Thought|Entity|Observation)
WHERE m.namespace = $namespace AND (startNode(r) = n OR n:Thought AND type(r) IN ['REINFORCES', 'CONTRADICTS'] AND NOT m:Thought)
  AND NOT type(r) IN ['IN_SESSION', 'FOLLOWS', 'BRANCHES_FROM', 'CHILD_OF', 'FOR_ACTION', 'AWAITS', 'MENTIONS', 'ABOUT']
  AND NOT (type(r) = 'REVISES' AND n:Thought) AND NOT coalesce(r.replica IN $present, false)
  AND (coalesce(r.noted_at, CASE WHEN n:Thought THEN n.stored_at END, datetime('0001-01-01')) >= datetime($since)
    OR r.noted_at IS NULL AND type(r) IN ['MERGED_INTO', 'QUARANTINED'])
  AND
  // part: travels(m)
  ($private OR NOT m:Thought
    OR NOT coalesce(m.is_private <> false, true)  // part: private(m)
    AND NOT EXISTS { (s:Session {namespace: $namespace, id: m.session_id}) WHERE s.has_private })
  // end of part
WITH r, [x IN [startNode(r), endNode(r)] | [CASE WHEN x:Thought THEN 'thought' WHEN x:Entity THEN 'entity' ELSE 'observation' END, x.id]] AS ends
RETURN type(r) AS type, ends[0] AS start, ends[1] AS end, properties(r) AS properties
