// Finds thoughts by their words, stemmed. The index holds the namespace. With any other filter all hits of the index
// are read and then filtered, so that a filter which matches five finds the five.
//
// A short list suffices when it ends after the last hit and not in a tie with it: among equals the index returns
// others for another limit, and pages would overlap. Otherwise all pages are cut from one long list, or from all hits
// when some are not visible.
:param namespace => 'default';
:param own_session => '';
:param text_query => 'retry';
:param take => 11;
:param skip => 0;
:param after => '';
:param page => 11;
:param slack => 0;
:param text_limit => 30;
:param deep_limit => 1001;
:param all_hits => 2147483647;
:param request => ({redactions: false, exact: {}, least: {}, most: {}, lists: {}, about: []});
:param text_length => 600;
CYPHER 25
// A candidate is {node, text_score}.
// In: the parameters. Out: short, at most $take candidates, if they suffice; reach, how many hits of the index to read
// otherwise, or 0.
CALL () {
  WITH 1 AS one WHERE $text_limit < $all_hits
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: $text_limit}) YIELD node AS t, score
  WITH t, score, t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
    AS passes
  ORDER BY score DESC, t.id
  WITH count(t) AS seen, min(score) AS least, collect(CASE WHEN passes THEN {node: t, text_score: score} END) AS passed
  WITH passed, CASE
    WHEN $text_limit < $all_hits AND (seen < $text_limit OR passed[$take - 1].text_score > least) THEN 0
    WHEN $text_limit < $all_hits AND size(passed) = seen THEN $deep_limit
    ELSE $all_hits
  END AS reach
  // Empty if there is a long list: its rows would each be charged with the short one; see list_thoughts.
  UNWIND CASE reach WHEN 0 THEN passed[..$take] ELSE [null] END AS hit
  RETURN collect(hit) AS short, coalesce(max(reach), 0) AS reach
}
// In: reach. Out: long, the first $take candidates of a longer list, filtered; empty if the short one suffices.
CALL (reach) {
  WITH reach WHERE reach > 0
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: reach}) YIELD node AS t, score
  WITH t, score
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
    // end of part
  WITH t, score ORDER BY score DESC, t.id LIMIT $take
  RETURN collect({node: t, text_score: score}) AS long
}
WITH CASE reach WHEN 0 THEN short ELSE long END AS found
// A thought comes after its latest revision that passes the filters, and each once; see read_thought_hits.
UNWIND range(0, size(found) - 1) AS place
WITH place, found[place].node AS revised, found[place].text_score AS score
// part: latest_revision()
CALL (revised) {
  OPTIONAL MATCH (revised)<-[:REVISES]-{1,8}(t:Thought)
  // Not in WHERE: the planner could begin at an index of all thoughts.
  WITH CASE
    WHEN t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
    // end of part
    THEN t
  END AS t ORDER BY t.created_at DESC, t.id
  RETURN head(collect(t)) AS latest
}
// end of part
// part: contradicting()
CALL (revised) {
  OPTIONAL MATCH (revised)<-[link:CONTRADICTS]-(t:Thought)
  WITH CASE
    WHEN t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
    // end of part
    THEN t
  END AS t, link.cosine AS cosine ORDER BY coalesce(cosine, 1.0) DESC, t.id DESC
  RETURN head(collect(t)) AS against
}
// end of part
UNWIND [brought IN [latest, against] WHERE brought IS NOT NULL] + [revised] AS t
WITH t, min(3 * place + CASE t WHEN revised THEN 2 WHEN latest THEN 0 ELSE 1 END) AS place, max(score) AS score ORDER BY place
WITH collect({node: t, score: score}) AS places
UNWIND
  [begin IN [coalesce([i IN range($skip - 1 - $slack, $skip - 1 + $slack) WHERE i >= 0 AND places[i].node.id = $after | i + 1][0], $skip)] | places[begin..begin + $page]][0]  // part: page_of(places, $skip, $after)
  AS hit
WITH collect(hit) AS page  // no row below is charged with all places
UNWIND page AS hit
WITH hit.node AS t, hit.score AS score
RETURN collect(t {
  // part: thought_hit(t)
  .id, kind: 'thought', text: left(coalesce(toStringOrNull(t.content), ''), $text_length),
  .author, .mode, .thought_type, .origin, .session_id, .chain_id, .confidence,
  created_at: toString(CASE WHEN t.created_at IS :: ZONED DATETIME THEN t.created_at END),  // part: time_text(t.created_at)
  standing: CASE WHEN t.standing = true THEN true END,
  step_index: CASE WHEN t.step_index IS :: INTEGER AND t.step_index < 2147483648 THEN t.step_index END,  // part: step(t)
  outside_chain: NOT coalesce(t.chained = true, t.session_id IS NULL),  // part: in_chain(t)
  // end of part
  // part: revised_by(t)
  revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
    x IN [(t)<-[:REVISES*1..8]-(revision) | revision]
    WHERE x.namespace = $namespace
      AND CASE WHEN x:Thought
        THEN
          x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
          AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
  // end of part
  // part: solved_by(t)
  solved_by: reduce(best = [-1.0, datetime('0001-01-01'), null], solution IN [
    s IN [(t)<-[:REVISES*0..8]-()<-[:SOLVES]-(first) | reduce(latest = null, x IN [
      x IN [(first)<-[:REVISES*0..8]-(version) | version]
      WHERE x.namespace = $namespace
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
        AND x.hot = true  // part: hot(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
      ] | CASE WHEN latest IS NULL OR x.created_at > latest.created_at THEN x ELSE latest END)]
    WHERE s IS NOT NULL | [coalesce(s.salience, 0.0), s.created_at, s.id]] | CASE WHEN solution > best THEN solution ELSE best END)[2],
  // end of part
  // part: contradicted_by(t, datetime())
  contradicted_by: reduce(strongest = [-2.0, null], c IN [
    c IN [(t)<-[link:CONTRADICTS]-(x) | {
      node: x, cosine: coalesce(link.cosine, 1.0),
      in_chain: coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
    }]
    WHERE c.node.namespace = $namespace
      AND CASE WHEN c.node:Thought
        THEN
          c.node.content IS :: STRING NOT NULL  // part: not_redacted(c.node)
          AND CASE c.node.is_private WHEN false THEN true ELSE c.node.session_id = $own_session END AND coalesce(c.node.expires_at > datetime(), true)  // part: visible(c.node, $own_session)
          AND c.in_chain
        ELSE
          c.node.valid_from <= datetime() AND c.node.valid_to > datetime()  // part: valid_at(c.node, datetime())
        END | [c.cosine, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
  // end of part
  score: score
}) AS hits
