// Reads entities and observations that a search has ranked, in any order.
:param namespace => 'default';
:param own_session => '';
:param as_of => datetime();
:param ranked => [{id: 'entity-1', score: 0.5, cosine: 0.5}];
:param text_length => 600;
CYPHER 25
UNWIND $ranked AS result
MATCH (n:Entity|Observation {id: result.id})
OPTIONAL MATCH (n)-[:ABOUT]->(about:Entity)
WITH result, n, head(collect(about)) AS entity
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
  score: result.score, cosine: result.cosine
}) AS hits
