// Reads the beginnings of stored thoughts that are not marked as standing, in the order of their ids, a page after an id.
// An upgrade derives the mark from them, which an older LegacyMind did not store.
:param after => '';
:param limit => 5000;
:param text_length => 4000;
CYPHER 25
MATCH (t:Thought)
WHERE t.id > $after
  AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
  AND t.redacts IS NULL AND t.standing IS NULL
WITH t ORDER BY t.id LIMIT $limit
RETURN t.id AS id, left(t.content, $text_length) AS content, toStringOrNull(t.author) AS author
