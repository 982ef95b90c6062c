// Reads the ids of the thoughts that quote a thought: the summaries of the curator, and its own sections.
:param id => 'thought-1';
:param namespace => 'default';
CYPHER 25
CALL () {
  MATCH (:Thought {id: $id, namespace: $namespace})<-[r:REFERENCES]-(s:Thought)
  WHERE r.made_by = 'curator' AND s.namespace = $namespace
  RETURN s
  UNION
  MATCH (s:Thought)
  WHERE s.id STARTS WITH $id + '::' AND s.namespace = $namespace
    AND s.content IS :: STRING NOT NULL  // part: not_redacted(s)
  RETURN s
}
RETURN s.id AS id ORDER BY id
