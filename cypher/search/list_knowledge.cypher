// Lists what is true at $as_of of the entities and facts, in the order in which they were stored, when there is no query. With
// $about, only these entities and the facts about them. Positions are as in list_thoughts, with -1 for the step.
:param namespace => 'default';
:param own_session => '';
:param kinds => ['entity', 'observation'];
:param about => [];
:param as_of => datetime();
:param latest_first => true;
:param seconds => 253402300799;
:param nanoseconds => 0;
:param step => -1;
:param id => '~';
:param skip => 0;
:param take => 10;
:param text_length => 600;
CYPHER 25
CALL () {
  WITH 1 AS one WHERE 'entity' IN $kinds
  MATCH (n:Entity) USING INDEX SEEK n:Entity(namespace, name)
  WHERE n.namespace = $namespace AND n.name >= '' AND n.merged_at IS NULL
  RETURN n
  UNION ALL
  WITH 1 AS one WHERE 'observation' IN $kinds
  MATCH (n:Observation) USING INDEX SEEK n:Observation(namespace, entity_id, fact_key)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL
  RETURN n
}
WITH n
WHERE n.recorded_at IS :: ZONED DATETIME NOT NULL
  AND n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
  AND ($about = [] OR coalesce(n.entity_id, n.id) IN $about)
WITH n, [n.recorded_at.epochSeconds, n.recorded_at.nanosecond, -1, n.id] AS position
WHERE CASE WHEN $latest_first THEN position < [$seconds, $nanoseconds, $step, $id] ELSE position > [$seconds, $nanoseconds, $step, $id] END
WITH n, position ORDER BY CASE WHEN $latest_first THEN n.recorded_at END DESC, CASE WHEN $latest_first THEN n.id END DESC, n.recorded_at, n.id SKIP $skip LIMIT $take
OPTIONAL MATCH (n)-[:ABOUT]->(about:Entity)
WITH n, position, head(collect(about)) AS entity
ORDER BY CASE WHEN $latest_first THEN n.recorded_at END DESC, CASE WHEN $latest_first THEN n.id END DESC, n.recorded_at, n.id
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
  score: null, position: position
}) AS hits
