// Reads the ids of the summaries that quote a thought.
:param id => 'thought-1';
:param namespace => 'default';
CYPHER 25
MATCH (t:Thought {id: $id, namespace: $namespace})<-[r:REFERENCES]-(s:Thought)
WHERE r.made_by = 'curator' AND s.namespace = $namespace
RETURN s.id AS id ORDER BY id
