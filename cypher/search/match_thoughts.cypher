// Finds thoughts by their words, stemmed. The index holds the namespace. With any other filter all hits of the index
// are read and then filtered, so that a filter which matches five finds the five.
//
// A short list suffices when it ends after the last hit and not in a tie with it: among equals the index returns
// others for another limit, and pages would overlap. Otherwise all pages are cut from one long list, or from all hits
// when some are not visible.
:param namespace => 'default';
:param own_session => '';
:param text_query => 'retry';
:param take => 10;
:param text_limit => 30;
:param deep_limit => 1001;
:param all_hits => 2147483647;
:param request => ({exact: {}, least: {}, most: {}, lists: {}});
:param text_length => 600;
CYPHER 25
CALL () {
  WITH 1 AS one WHERE $text_limit < $all_hits
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: $text_limit}) YIELD node AS t, score
  WITH t, score, t.namespace = $namespace
    AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
    AND t.content IS NOT NULL  // part: not_redacted(t)
    AS passes
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
  WHERE t.namespace = $namespace
    AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
    AND t.content IS NOT NULL  // part: not_redacted(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(own) = item)))
    // end of part
  WITH t, score ORDER BY score DESC, t.id LIMIT $take
  RETURN collect({t: t, score: score}) AS long
}
UNWIND CASE reach WHEN 0 THEN short ELSE long END AS found
WITH found.t AS t, found.score AS score
RETURN collect(t {
  // part: thought_hit(t)
  .id, kind: 'thought', text: left(coalesce(t.content, ''), $text_length),
  .created_at, .author, .mode, .thought_type, .origin, .session_id, .chain_id, .step_index, .confidence,
  // end of part
  score: score
}) AS hits
