// Locks the sessions to which an import appends, and reads their last steps. A session that an import creates or continues is
// marked with importing until import_sessions gives it the head of the file.
:param namespace => 'default';
:param sessions => [{id: 'try', genesis: 'genesis'}];
CYPHER 25
UNWIND $sessions AS row
WITH row ORDER BY row.id
MERGE (s:Session {namespace: $namespace, id: row.id})
ON CREATE SET s.head_hash = row.genesis, s.head_step = -1, s.importing = true
SET s.lock = 0
RETURN s.id AS id, s.head_id AS head_id
