// Reads what an agent needs at the start of a session: pinned thoughts, unresolved stuck thoughts, and the most
// recent ones, its own session first. Redacted thoughts are left out. Each section begins at an index and ends at its
// limit.
// :params {namespace: 'default', own_session: '', vector: [x IN range(1, 384) | 0.1], has_query: false, now: datetime(), section_limit: 20, stuck_limit: 200, text_length: 600}
CYPHER 25
CALL () {
  MATCH (t:Thought) USING INDEX t:Thought(namespace, pinned)
  WHERE t.namespace = $namespace AND t.pinned = true
    AND t.content IS NOT NULL  // part: not_redacted(t)
    AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
  RETURN t, 'pinned' AS part, 0 AS place ORDER BY t.created_at DESC, t.id LIMIT $section_limit
  UNION ALL
  // Nearest to what it is about, if that is known, else the newest; a vector index answers the filter in any case.
  // Most troubles may be solved by now, so as a rule all of a namespace are looked at. Where they are more, those it
  // gives without a question are any, and the newest are looked for in time as well, so far back and no further.
  CALL () {
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace AND t.mode = 'stuck'
          AND t.hot = true  // part: hot(t)
        LIMIT $stuck_limit
      ) SCORE AS similarity
    RETURN collect({t: t, similarity: similarity}) AS near
  }
  CALL (near) {
    UNWIND near AS found
    RETURN found.t AS t, found.similarity AS similarity
    UNION ALL
    // As a bound of the index: as a condition beside it, it would be asked of each thought.
    WITH CASE WHEN size(near) = $stuck_limit AND NOT $has_query THEN $now END AS latest
    MATCH (t:Thought) USING INDEX t:Thought(namespace, created_at)
    WHERE t.namespace = $namespace AND t.created_at <= latest
    WITH t ORDER BY t.namespace DESC, t.created_at DESC LIMIT 10000
    WITH t
    WHERE t.mode = 'stuck'
      AND t.hot = true  // part: hot(t)
      AND t.content IS NOT NULL  // part: not_redacted(t)
      AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
      AND NOT EXISTS { (t)<-[:SOLVES|REVISES]-(:Thought) }
    RETURN t, 0.0 AS similarity ORDER BY t.namespace DESC, t.created_at DESC LIMIT $section_limit
  }
  WITH t, max(similarity) AS similarity
  WHERE (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
    AND NOT EXISTS { (t)<-[:SOLVES|REVISES]-(:Thought) }
  RETURN t, 'unresolved' AS part, 0 AS place
  ORDER BY CASE WHEN $has_query THEN similarity ELSE 0.0 END DESC, t.created_at DESC, t.id LIMIT $section_limit
  UNION ALL
  MATCH (t:Thought) USING INDEX t:Thought(session_id, created_at)
  WHERE t.session_id = $own_session AND t.created_at <= $now AND t.namespace = $namespace
    AND t.content IS NOT NULL  // part: not_redacted(t)
  RETURN t, 'recent' AS part, 0 AS place ORDER BY t.session_id DESC, t.created_at DESC, t.id DESC LIMIT $section_limit
  UNION ALL
  MATCH (t:Thought) USING INDEX t:Thought(namespace, created_at)
  WHERE t.namespace = $namespace AND t.created_at <= $now
    AND t.hot = true  // part: hot(t)
    AND t.is_private = false  // part: public(t)
    AND t.content IS NOT NULL  // part: not_redacted(t)
  RETURN t, 'recent' AS part, 1 AS place ORDER BY t.namespace DESC, t.created_at DESC, t.id DESC LIMIT $section_limit
}
WITH t, part, min(place) AS place ORDER BY part, place, t.created_at DESC, t.id
RETURN collect({part: part, hit: t {
  // part: thought_hit(t)
  .id, kind: 'thought', text: left(coalesce(t.content, ''), $text_length),
  .created_at, .author, .mode, .thought_type, .origin, .session_id, .chain_id, .step_index, .confidence,
  // end of part
  score: null
}}) AS parts
