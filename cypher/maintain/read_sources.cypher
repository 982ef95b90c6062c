// Reads the texts of thoughts that the curator summarises, and what their summary inherits.
:param namespace => 'default';
:param ids => ['thought-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (t:Thought {id: id})
WHERE t.namespace = $namespace
  AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
RETURN t.id AS id, t.content AS content, t.author AS author, t.trust AS trust, t.mode AS mode, coalesce(t.tags, []) AS tags, toString(t.created_at) AS created_at
