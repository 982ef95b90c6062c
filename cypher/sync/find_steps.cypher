// Reads which of these steps are stored.
:param namespace => 'default';
:param steps => [{session_id: 'try', step: 0, hash: 'hash'}];
CYPHER 25
UNWIND $steps AS row
MATCH (t:Thought) USING INDEX t:Thought(namespace, session_id, step_index)
WHERE t.namespace = $namespace AND t.session_id = row.session_id AND t.step_index = row.step AND t.chain_hash = row.hash
RETURN DISTINCT row.hash AS hash
