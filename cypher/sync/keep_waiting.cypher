// Keeps lines that wait for what is not here yet, each once, and drops those without a reason, which wait no more.
:param namespace => 'default';
:param rows => [{id: 'digest', line: '{}', reason: 'step 3 of the session try'}];
CYPHER 25
UNWIND $rows AS row
MERGE (w:Waiting {namespace: $namespace, id: row.id})
SET w.line = row.line, w.reason = row.reason
WITH w WHERE w.reason IS NULL
DELETE w
