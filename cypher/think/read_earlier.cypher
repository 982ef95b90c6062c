// Reads the result of an earlier call back from what it stored: injected_memories, and lines of "verdict cosine id". Null
// for a private thought of another session; one without a session is repeated without one. Its memories are those that
// this session may read.
:param id => 'thought-1';
:param own_session => '';
:param text_length => 400;
CYPHER 25
OPTIONAL MATCH (same:Thought {id: $id})
WHERE CASE same.is_private WHEN false THEN true ELSE same.session_id = $own_session END AND coalesce(same.expires_at > datetime(), true)  // part: visible(same)
  OR same.session_id IS NULL AND $own_session = ''
// In: same. Out: memories, in their order; of those whose relationship is gone, only rank and score are known.
CALL (same) {
  UNWIND range(0, size(coalesce(same.injected_memories, [])) - 1) AS place
  MATCH (n:Thought|Entity|Observation {id: same.injected_memories[place], namespace: same.namespace})
  WHERE (n.is_private = false OR n.session_id = $own_session OR NOT n:Thought) AND coalesce(n.expires_at > datetime(), true)  // part: visible_node(n)
  OPTIONAL MATCH (same)-[r:RECALLS]->(n)
  WITH place, n, r ORDER BY place
  RETURN collect({
    id: n.id,
    kind: toLower([label IN labels(n) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(n)
    text: left(coalesce(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END), ''), $text_length),
    score: coalesce(r.score, same.injected_scores[place]), rank: place + 1, cosine: r.cosine,
    via: coalesce(r.via, CASE WHEN same.mode = 'conclude' AND n.session_id = same.session_id THEN 'session' WHEN n:Thought OR same.pruned_at IS NOT NULL THEN 'pruned' ELSE 'fallback' END),
    copies: coalesce(r.copies, 1), revised_by: r.revised_by, solved_by: r.solved_by, contradicted_by: r.contradicted_by,
    standing: n.standing,
    created_at: toString([at IN [coalesce(n.created_at, n.recorded_at)] WHERE at IS :: ZONED DATETIME NOT NULL][0]),
    author: n.author,
    parts: {similarity: r.part_similarity, recency: r.part_recency, salience: r.part_salience, access: r.part_access, contradiction: r.part_contradiction}
  }) AS memories
}
// In: same. Out: evidence.
CALL (same) {
  UNWIND same.verification AS line
  WITH split(line, ' ') AS fields, line
  MATCH (n:Entity|Observation {id: substring(line, size(fields[0]) + size(fields[1]) + 2), namespace: same.namespace})
  RETURN collect({
    id: n.id, kind: CASE WHEN n:Entity THEN 'entity' ELSE 'observation' END,
    text: left(coalesce(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END), ''), $text_length),
    cosine: toFloat(fields[1]), against: fields[0] = 'contradicts'
  }) AS evidence
}
RETURN same {.*, embedding_a: null, embedding_b: null} AS stored, [(same)-[:AWAITS]->(p) | p.id] AS awaits, memories, evidence
