// Reads a page of thoughts that a search has ranked. Each comes after its latest revision that passes the filters, and
// after what contradicts it most strongly, if there are any; and each once, at its first place.
:param namespace => 'default';
:param own_session => '';
:param vector => [x IN range(1, 384) | 0.1];
:param as_of => datetime();
:param ranked => [{id: 'thought-1', score: 0.5, cosine: 0.5}];
:param request => ({exact: {}, least: {}, most: {}, lists: {}, about: []});
:param skip => 0;
:param after => '';
:param page => 11;
:param slack => 0;
:param text_length => 600;
CYPHER 25
UNWIND range(0, size($ranked) - 1) AS place
MATCH (revised:Thought {id: $ranked[place].id})
WITH place, $ranked[place] AS result, revised
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
WITH t, min(3 * place + CASE t WHEN revised THEN 2 WHEN latest THEN 0 ELSE 1 END) AS place, max(result.score) AS score,
  max(CASE t WHEN revised THEN result.cosine END) AS cosine
ORDER BY place
WITH collect({node: t, score: score, cosine: cosine}) AS places
UNWIND
  [begin IN [coalesce([i IN range($skip - 1 - $slack, $skip - 1 + $slack) WHERE i >= 0 AND places[i].node.id = $after | i + 1][0], $skip)] | places[begin..begin + $page]][0]  // part: page_of(places, $skip, $after)
  AS shown
WITH collect(shown) AS page  // no row below is charged with all places
UNWIND page AS shown
WITH shown, shown.node AS t
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
  // part: contradicted_by(t, $as_of)
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
          c.node.valid_from <= $as_of AND c.node.valid_to > $as_of  // part: valid_at(c.node, $as_of)
        END | [c.cosine, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
  // end of part
  score: shown.score, cosine: coalesce(shown.cosine, 2 * vector.similarity.cosine(t.embedding_a, $vector) - 1, 0.0)
}) AS hits
