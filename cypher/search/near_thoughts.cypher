// Finds the nearest thoughts that pass filters. An index answers every condition, so that a filter which matches five
// in a hundred thousand returns those five. Conditions from the fixed list in queries.py replace the filter marks.
// Returns one row: a row for each hit costs eight times as much.
// :params {namespace: 'default', own_session: '', vector: [x IN range(1, 384) | 0.1], request: {exact: {}, tags: [], tag_query: '', filtered: false, since: datetime('0001-01-01'), until: datetime('9999-12-31'), confidence: [-1.0, 1.0]}, index_limit: 64, last_index: 59, deep_limit: 1001, tag_limit: 5000, wide_limit: 8000, text_length: 600}
CYPHER 25
CALL () {
  WITH 1 AS one WHERE size($request.tags) = 0
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace
        AND t.is_private = false  // part: public(t)
        /*filters*/
      LIMIT $index_limit
    ) SCORE AS similarity
  RETURN t, similarity, 1 AS shared, 0 AS secret
  UNION ALL
  // Private thoughts are found in their own session only.
  MATCH (s:Session {namespace: $namespace, id: $own_session}) WHERE s.has_private AND size($request.tags) = 0
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace
        AND t.session_id = $own_session AND t.is_private = true  // part: own_private(t)
        /*other filters*/
      LIMIT $index_limit
    ) SCORE AS similarity
  RETURN t, similarity, 0 AS shared, 1 AS secret
  UNION ALL
  // No vector index holds a list: tags are narrowed by their own index, then compared exactly. Where too many have
  // them, the nearest of all are looked through first; only when too few of those have the tags, all that do are
  // compared, so that never fewer are found than there are. Sorted below: here each row would be charged, in the
  // server's account of memory, with the whole list it came from.
  WITH 1 AS one WHERE size($request.tags) > 0
  CALL () {
    CALL db.index.fulltext.queryNodes('thought_tags', $request.tag_query, {limit: $tag_limit + 1}) YIELD node
    RETURN count(node) > $tag_limit AS many
  }
  CALL (many) {
    WITH many WHERE many
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace /*filters*/
        LIMIT $wide_limit
      ) SCORE AS similarity
    RETURN count(t) AS seen, collect(CASE WHEN
      (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
      AND all(tag IN $request.tags WHERE tag IN t.tags)
      THEN {t: t, similarity: similarity}
    END) AS near
  }
  // Where fewer pass the filters than were asked for, all of them have been seen.
  WITH near, many AND (size(near) >= $index_limit OR $request.filtered AND seen < $wide_limit) AS enough
  CALL (near, enough) {
    WITH near WHERE enough
    UNWIND near AS found
    RETURN found.t AS t, found.similarity AS similarity
    UNION ALL
    WITH enough WHERE NOT enough
    CALL db.index.fulltext.queryNodes('thought_tags', $request.tag_query) YIELD node AS t
    WITH t
    WHERE t.namespace = $namespace
      AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
      AND all(tag IN $request.tags WHERE tag IN t.tags) /*filters*/
    WITH t, vector.similarity.cosine(t.embedding_a, $vector) AS similarity
    WHERE similarity IS NOT NULL
    RETURN t, similarity
  }
  RETURN t, similarity, 0 AS shared, 0 AS secret
}
WITH t, similarity, shared, secret ORDER BY similarity DESC, t.id LIMIT 2 * $index_limit
WITH collect({t: t, similarity: similarity}) AS near,
  CASE WHEN sum(shared) = $index_limit THEN min(CASE shared WHEN 1 THEN similarity END) END AS shared_end,
  CASE WHEN sum(secret) = $index_limit THEN min(CASE secret WHEN 1 THEN similarity END) END AS secret_end
// A tie that the index has cut; see search_memory.
WITH near, coalesce(near[$last_index].similarity <= shared_end OR near[$last_index].similarity <= secret_end, false) AS tied
CALL (tied) {
  CALL (tied) {
    WITH tied WHERE tied
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.is_private = false  // part: public(t)
          /*filters*/
        LIMIT $deep_limit
      ) SCORE AS similarity
    RETURN t, similarity
    UNION ALL
    MATCH (s:Session {namespace: $namespace, id: $own_session}) WHERE s.has_private AND tied
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.session_id = $own_session AND t.is_private = true  // part: own_private(t)
          /*other filters*/
        LIMIT $deep_limit
      ) SCORE AS similarity
    RETURN t, similarity
  }
  WITH t, similarity ORDER BY similarity DESC, t.id LIMIT $index_limit
  RETURN collect({t: t, similarity: similarity}) AS deeper
}
UNWIND CASE WHEN tied THEN deeper ELSE near[..$index_limit] END AS found
// Neo4j's cosine score is (1 + cos) / 2.
WITH found.t AS t, 2 * found.similarity - 1 AS cosine
RETURN collect(t {
  // part: thought_hit(t)
  .id, kind: 'thought', text: left(coalesce(t.content, ''), $text_length),
  .created_at, .author, .mode, .thought_type, .origin, .session_id, .chain_id, .step_index, .confidence,
  // end of part
  score: cosine, cosine: cosine
}) AS hits
