// Thought tree: a question, its parts and their findings, to ten levels below a thought.
:param namespace => 'default';
:param thought_id => 'a13-001-001';
CYPHER 25
MATCH tree = (root:Thought {id: $thought_id})(()<-[:CHILD_OF]-(:Thought)){0,10}
WHERE root.namespace = $namespace
RETURN tree
