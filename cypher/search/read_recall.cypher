// Reads what a thought recalled, as it was stored then: the RECALLS relationships with every part of their score, and
// from the lists of ids and scores what has been pruned since. The lists outlive the relationships and the nodes that
// they lead to. A private thought or memory is read in its own session only. active: whether the slot is in use.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param text_length => 200;
CYPHER 25
OPTIONAL MATCH (t:Thought {id: $id, namespace: $namespace})
WHERE CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
CALL (t) {
  MATCH (t)-[r:RECALLS]->(m)
  WHERE m.namespace = $namespace
    AND (m.is_private = false OR m.session_id = $own_session OR NOT m:Thought) AND coalesce(m.expires_at > datetime(), true)  // part: visible_node(m)
  RETURN collect(r {
    .cosine, .part_similarity, .part_recency, .part_salience, .part_access, .part_contradiction, .via, .revised_by, .solved_by, .contradicted_by, .merged_from, .copies,
    rank: coalesce(r.rank, 0), score: coalesce(r.score, 0.0), // none when it was created by hand
    id: m.id,
    kind: toLower([label IN labels(m) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(m)
    text: left(CASE WHEN m:Entity THEN toStringOrNull(m.name + coalesce(': ' + m.description, '')) ELSE toStringOrNull(m.content) END, $text_length),  // part: text(m)
    created_at: CASE WHEN coalesce(m.created_at, m.recorded_at) IS :: ZONED DATETIME THEN coalesce(m.created_at, m.recorded_at) END,  // part: time_of(m)
    author: m.author, standing: m.standing, name: m.name, entity_type: m.entity_type, redacted_at: m.redacted_at,
    outside_chain: NOT coalesce(m.chained = true, m.session_id IS NULL)  // part: in_chain(m)
  }) AS recalled
}
CALL (t, recalled) {
  UNWIND range(0, size(coalesce(t.injected_memories, [])) - 1) AS place
  WITH t, recalled, place + 1 AS rank, t.injected_scores[place] AS score, t.injected_memories[place] AS id
  WHERE NOT id IN [r IN recalled | coalesce(r.merged_from, r.id)]
  OPTIONAL MATCH (m:Thought|Entity|Observation {id: id, namespace: $namespace})
  WHERE (m.is_private = false OR m.session_id = $own_session OR NOT m:Thought) AND coalesce(m.expires_at > datetime(), true)  // part: visible_node(m)
  RETURN collect({
    rank: rank, score: score, id: id,
    kind: toLower([label IN labels(m) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(m)
    text: left(CASE WHEN m:Entity THEN toStringOrNull(m.name + coalesce(': ' + m.description, '')) ELSE toStringOrNull(m.content) END, $text_length),  // part: text(m)
    created_at: CASE WHEN coalesce(m.created_at, m.recorded_at) IS :: ZONED DATETIME THEN coalesce(m.created_at, m.recorded_at) END,  // part: time_of(m)
    author: m.author, standing: m.standing, name: m.name, entity_type: m.entity_type, redacted_at: m.redacted_at, via: CASE WHEN t.mode = 'conclude' AND m.session_id = t.session_id THEN 'session' WHEN t.pruned_at IS NULL AND NOT m:Thought THEN 'fallback' END,
    outside_chain: NOT coalesce(m.chained = true, m.session_id IS NULL)  // part: in_chain(m)
  }) AS pruned
}
RETURN
  t {.id, .mode, .submode, .injection_scale, .recorded_at, .previous_thought_id, .revises_thought, .branch_from,
     .parent_id, .redacted_at, created_at: coalesce(t.created_at, t.recorded_at),
     text: left(toStringOrNull(t.content), $text_length),
     outside_chain: NOT coalesce(t.chained = true, t.session_id IS NULL),  // part: in_chain(t)
     embedded: t.embedding_a IS NOT NULL} AS thought,
  recalled, pruned,
  EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
