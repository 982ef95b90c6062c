// Thoughts in time, when nothing is asked for. Written oldest first; queries.py derives newest first.
//
// A filter that matches few is answered by the index that holds it (for vectors whatever the vector is), so that
// five in a hundred thousand are not looked for one by one; one that matches many is met soon on the way through
// time. A page begins behind the last thought of the page before.
CYPHER 25
CALL () {
  WITH 1 AS one WHERE size($question.tags) = 0
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace /*filters*/
      LIMIT 200
    )
  RETURN t
  UNION ALL
  WITH 1 AS one WHERE size($question.tags) > 0
  CALL db.index.fulltext.queryNodes('thought_tags', $question.tagged, {limit: $narrow}) YIELD node AS t
  RETURN t
}
WITH collect(t) AS few, CASE WHEN size($question.tags) = 0 THEN 200 ELSE $narrow END AS many
CALL (few, many) {
  WITH few, many WHERE size(few) < many
  UNWIND few AS t
  WITH t
  WHERE t.namespace = $namespace AND (t.is_private = false OR t.session_id = $own)
    AND all(tag IN $question.tags WHERE tag IN t.tags)
    AND t.created_at >= $at AND (t.created_at > $at OR t.id > $after) /*filters*/
  RETURN t ORDER BY t.created_at ASC, t.id ASC SKIP $skip LIMIT $take
  UNION ALL
  WITH few, many WHERE size(few) = many
  MATCH (t:Thought)
  WHERE t.namespace = $namespace AND (t.is_private = false OR t.session_id = $own)
    AND all(tag IN $question.tags WHERE tag IN t.tags)
    AND t.created_at >= $at AND (t.created_at > $at OR t.id > $after) /*filters*/
  RETURN t ORDER BY t.created_at ASC, t.id ASC SKIP $skip LIMIT $take
}
RETURN collect(t {
  .id, kind: 'thought', text: left(coalesce(t.content, ''), $shown), score: null,
  .created_at, .author, .mode, .thought_type, .origin, .session_id, .chain_id, .step_index, .confidence
}) AS hits
