// Session as a trail: its thoughts in order, and what each follows, revises, branches from or is a child of.
:param namespace => 'default';
:param session_id => 'a13-why-tank-2';
:param limit => 40;
CYPHER 25
MATCH (t:Thought)
WHERE t.namespace = $namespace AND t.session_id = $session_id AND t.step_index >= 0
WITH t ORDER BY t.step_index LIMIT $limit
OPTIONAL MATCH link = (t)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]->(:Thought)
RETURN t, link
