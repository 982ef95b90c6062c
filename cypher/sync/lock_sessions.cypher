// Locks the sessions of a segment, created if they do not exist, and reads their heads and those of their branches.
:param namespace => 'default';
:param sessions => [{id: 'try', genesis: 'genesis', created_at: datetime()}];
CYPHER 25
UNWIND $sessions AS row
WITH row ORDER BY row.id
MERGE (s:Session {namespace: $namespace, id: row.id})
ON CREATE SET s.head_hash = row.genesis, s.head_step = -1, s.created_at = row.created_at
SET s.lock = 0
RETURN s.id AS id, s.head_hash AS hash, coalesce(s.branches, []) AS branches
