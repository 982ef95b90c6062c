// Thoughts by their words alone, stemmed. The index knows the namespace; all other filters are asked afterwards,
// when there are any of all that the index has, so that a filter which matches five finds the five.
//
// A short list does when it ends behind the last hit, not in a tie with it: among equals the index gives others for
// another number, and pages would overlap. Else all pages are cut from one long list; from all, where some may not
// be seen.
CYPHER 25
CALL () {
  WITH 1 AS one WHERE $text_limit < $all_hits
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: $text_limit}) YIELD node AS t, score
  WITH t, score, t.namespace = $namespace AND (t.is_private = false OR t.session_id = $own_session) AND t.content IS NOT NULL AS passes
  ORDER BY score DESC, t.id
  WITH count(t) AS seen, min(score) AS least, collect(CASE WHEN passes THEN {t: t, score: score} END) AS passed
  RETURN passed[..$take] AS short, CASE
    WHEN $text_limit < $all_hits AND (seen < $text_limit OR passed[$take - 1].score > least) THEN 0
    WHEN $text_limit < $all_hits AND size(passed) = seen THEN $deep_limit
    ELSE $all_hits
  END AS reach
}
CALL (reach) {
  WITH reach WHERE reach > 0
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: reach}) YIELD node AS t, score
  WITH t, score
  WHERE t.namespace = $namespace AND (t.is_private = false OR t.session_id = $own_session) AND t.content IS NOT NULL
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(tag IN $request.tags WHERE tag IN t.tags)
    AND t.created_at >= $request.since AND t.created_at <= $request.until
    AND coalesce(t.confidence, -1.0) >= $request.confidence[0] AND coalesce(t.confidence, -1.0) <= $request.confidence[1]
  WITH t, score ORDER BY score DESC, t.id LIMIT $take
  RETURN collect({t: t, score: score}) AS long
}
UNWIND CASE reach WHEN 0 THEN short ELSE long END AS found
WITH found.t AS t, found.score AS score
RETURN collect(t {
  .id, kind: 'thought', text: left(coalesce(t.content, ''), $text_length), score: score,
  .created_at, .author, .mode, .thought_type, .origin, .session_id, .chain_id, .step_index, .confidence
}) AS hits
