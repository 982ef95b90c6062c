// Why was this recalled: what a thought recalled, by rank, with the score and its parts on each RECALLS.
:param namespace => 'default';
:param thought_id => 'a13-001-030';
:param limit => 15;
CYPHER 25
MATCH recall = (t:Thought {id: $thought_id})-[r:RECALLS]->(memory)
WHERE t.namespace = $namespace
RETURN recall, r.rank AS rank, round(r.score, 3) AS score, round(r.cosine, 3) AS cosine, r.via AS via,
  coalesce(memory.title, memory.name) AS memory
ORDER BY rank LIMIT $limit
