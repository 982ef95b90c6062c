// Reads the beginnings of observations without a title, in the order of their ids, a page after an id. An upgrade gives
// them titles, which Neo4j Browser shows as captions.
:param after => '';
:param limit => 5000;
:param text_length => 300;
CYPHER 25
MATCH (o:Observation)
WHERE o.id > $after
  AND o.content IS :: STRING NOT NULL  // part: not_redacted(o)
  AND o.title IS NULL
WITH o ORDER BY o.id LIMIT $limit
RETURN o.id AS id, left(o.content, $text_length) AS content
