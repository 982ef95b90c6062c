// Finds entities and observations by their words, as they were known to be valid at one moment. The index does not
// hold the validity: when most of the best hits are valid at other times or of other kinds, all hits are read. A tie
// at the end is treated as in match_thoughts.
:param namespace => 'default';
:param own_session => '';
:param kinds => ['entity', 'observation'];
:param text_query => 'retry';
:param as_of => datetime();
:param take => 11;
:param skip => 0;
:param after => '';
:param page => 11;
:param slack => 0;
:param text_limit => 30;
:param deep_limit => 1001;
:param all_hits => 2147483647;
:param text_length => 600;
CYPHER 25
// In: the parameters. Out: reach, how many hits of the index to read.
CALL () {
  CALL db.index.fulltext.queryNodes('knowledge_text', $text_query, {limit: $text_limit}) YIELD node AS n, score
  WITH score, n.kind IN $kinds
    AND n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
    AS passes ORDER BY score DESC
  WITH count(score) AS seen, min(score) AS least, collect(CASE WHEN passes THEN score END) AS passed
  // An aggregation: else the rows below would each be charged with the list.
  RETURN max(CASE
    WHEN seen < $text_limit OR passed[$take - 1] > least THEN $text_limit
    WHEN size(passed) = seen THEN $deep_limit
    ELSE $all_hits
  END) AS reach
}
// In: reach. Out: places, the first $take hits that are valid, best first.
CALL (reach) {
  CALL db.index.fulltext.queryNodes('knowledge_text', $text_query, {limit: reach}) YIELD node AS n, score
  WITH n, score
  WHERE n.namespace = $namespace AND n.kind IN $kinds
    AND n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
  WITH n, score ORDER BY score DESC, n.id LIMIT $take
  RETURN collect({node: n, score: score}) AS places
}
UNWIND
  [begin IN [coalesce([i IN range($skip - 1 - $slack, $skip - 1 + $slack) WHERE i >= 0 AND places[i].node.id = $after | i + 1][0], $skip)] | places[begin..begin + $page]][0]  // part: page_of(places, $skip, $after)
  AS hit
WITH collect(hit) AS page  // no row below is charged with all places
UNWIND page AS hit
WITH hit.node AS n, hit.score AS score
OPTIONAL MATCH (n)-[:ABOUT]->(about:Entity)
WITH n, score, head(collect(about)) AS entity ORDER BY score DESC, n.id
RETURN collect({
  // part: knowledge_hit(n, entity)
  id: n.id, kind: n.kind,
  text: left(coalesce(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END), ''), $text_length),
  created_at: toString(CASE WHEN n.recorded_at IS :: ZONED DATETIME THEN n.recorded_at END),  // part: time_text(n.recorded_at)
  entity: coalesce(n.name, entity.name), entity_type: coalesce(n.entity_type, entity.entity_type),
  valid_from: toString(CASE WHEN n.valid_from IS :: ZONED DATETIME THEN n.valid_from END),  // part: time_text(n.valid_from)
  valid_to: toString(CASE WHEN n.valid_to IS :: ZONED DATETIME THEN n.valid_to END),  // part: time_text(n.valid_to)
  standing: CASE WHEN n.standing = true THEN true END,
  // end of part
  // part: revised_by(n)
  revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
    x IN [(n)<-[:REVISES*1..8]-(revision) | revision]
    WHERE x.namespace = $namespace
      AND CASE WHEN x:Thought
        THEN
          x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
          AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
  // end of part
  // part: contradicted_by(n, $as_of)
  contradicted_by: reduce(strongest = [-2.0, null], c IN [
    c IN [(n)<-[link:CONTRADICTS]-(x) | {
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
  score: score
}) AS hits
