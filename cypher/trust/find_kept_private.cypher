// A session of these whose private thoughts the caller did not write: people wrote them, or another token.
:param namespace => 'default';
:param sessions => ['session-1'];
:param by => null;
CYPHER 25
UNWIND $sessions AS session
MATCH (s:Session {namespace: $namespace, id: session}) WHERE s.has_private
MATCH (t:Thought) USING INDEX t:Thought(namespace, session_id, step_index)
WHERE t.namespace = $namespace AND t.session_id = session AND t.step_index >= 0
  AND
    coalesce(t.is_private <> false, true)  // part: private(t)
  AND (t.origin = 'user' AND t.door IN ['python', 'command line', 'graphql'] OR t.door IN ['mcp', 'graphql'] AND t.by <> $by)
RETURN session LIMIT 1
