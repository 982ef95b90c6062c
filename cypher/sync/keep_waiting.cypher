// Keeps lines that wait for what is not here yet, each once.
:param namespace => 'default';
:param rows => [{id: 'digest', line: '{}', replica: 'replica', reason: 'step 3 of the session try'}];
CYPHER 25
UNWIND $rows AS row
MERGE (w:Waiting {namespace: $namespace, id: row.id})
SET w.line = row.line, w.replica = row.replica, w.reason = row.reason
RETURN count(w) AS waiting
