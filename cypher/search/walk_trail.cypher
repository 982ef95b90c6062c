// Reads a page of what can be reached from one node over chosen relationships: nearest first, each node once.
//
// min(length(path)) over a variable-length pattern is planned as a breadth-first search that visits every node once
// and returns each as it is found, so that LIMIT ends it: a page costs the same in a session of ten as of a million.
// (ANY SHORTEST looks for further paths when no node is left, for hours where thoughts recall each other.) Its nodes
// come in blocks of $block_size, nearest first. A block is sorted whole, and pages are cut from blocks, so that they
// follow each other whatever their size. How a node was reached is read from the newer end of each relationship: few
// relationships leave a thought, but thousands may recall it.
//
// The pattern names no types, since those of users have any name; $types are the ones to walk. With $any_relation, a
// trail that starts at an entity walks every type but $reserved_types. (A dynamic type in a variable-length pattern,
// -[:$any($types)*]->, is planned without its types.)
//
// Relations that are not true at $as_of are not walked, nor are thoughts later than $known.
//
// The namespace is checked on every hop, so that a trail never leaves it. Merged nodes are not walked. Private thoughts
// are walked in their own session only, from the start on.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param types => ['FOLLOWS', 'RECALLS'];
:param any_relation => false;
:param reserved_types => ['FOLLOWS', 'RECALLS', 'ABOUT'];
:param direction => 'back';
:param depth => 10;
:param as_of => datetime();
:param known => datetime('9999-12-31');
:param first => 0;
:param block_size => 400;
:param max_nodes => 400;
:param skip => 0;
:param take => 10;
:param text_length => 200;
CYPHER 25
OPTIONAL MATCH (named:Thought|Entity|Observation {id: $id, namespace: $namespace})
WHERE (named.is_private = false OR named.session_id = $own_session OR NOT named:Thought) AND coalesce(named.expires_at > datetime(), true)  // part: visible_node(named)
WITH
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  AS start
WITH start, $any_relation AND start:Entity AS named
// In: start; named, whether all relations of users are walked. Out: steps, the page; null when start does not
// exist; deeper, 1 when nodes follow beyond the greatest depth, 100.
CALL (start, named) {
  // In: start, named. Out: every node within reach with its depth, nearest first.
  CALL (start, named) {
    WITH start, named WHERE $direction = 'back'
    MATCH path = (start)-[way*1..101]->(n)
    WHERE all(r IN way WHERE
      (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= $as_of AND $as_of < r.valid_to, true))  // part: walked(r)
      )
      AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.merged_at IS NULL
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.expires_at > datetime(), true)  // part: visible_node(x)
      )
    RETURN n, min(length(path)) AS depth
    UNION ALL
    WITH start, named WHERE $direction = 'forward'
    MATCH path = (start)<-[way*1..101]-(n)
    WHERE all(r IN way WHERE
      (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= $as_of AND $as_of < r.valid_to, true))  // part: walked(r)
      )
      AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.merged_at IS NULL
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.expires_at > datetime(), true)  // part: visible_node(x)
      )
    RETURN n, min(length(path)) AS depth
    UNION ALL
    WITH start, named WHERE $direction = 'both'
    MATCH path = (start)-[way*1..101]-(n)
    WHERE all(r IN way WHERE
      (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= $as_of AND $as_of < r.valid_to, true))  // part: walked(r)
      )
      AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.merged_at IS NULL
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.expires_at > datetime(), true)  // part: visible_node(x)
      )
    RETURN n, min(length(path)) AS depth
  }
  WITH start, named, n, depth LIMIT $max_nodes
  WHERE n <> start
  WITH start, named, collect(CASE WHEN depth <= $depth THEN {node: n, depth: depth} END) AS near,
    CASE WHEN $depth = 100 AND max(depth) > 100 THEN 1 ELSE 0 END AS deeper
  UNWIND range($first, size(near) - 1) AS i
  WITH start, named, near, deeper, i / $block_size AS block, near[i].depth AS depth, collect(near[i].node) AS found
  WITH block, depth, found, deeper, named,
    CASE depth WHEN 1 THEN [start] ELSE [x IN near WHERE x.depth = depth - 1 | x.node] END AS previous
  // In: named; found, the nodes of one depth in a block; previous, the nodes one depth nearer. Out: the relationships between them.
  CALL (found, previous, named) {
    WITH * WHERE $direction <> 'forward'
    UNWIND previous AS origin
    MATCH (origin)-[r]->(end)
    WHERE end IN found
      AND (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= $as_of AND $as_of < r.valid_to, true))  // part: walked(r)
    RETURN end, origin, r
    UNION ALL
    WITH * WHERE $direction <> 'back'
    UNWIND found AS end
    MATCH (end)-[r]->(origin)
    WHERE origin IN previous
      AND (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= $as_of AND $as_of < r.valid_to, true))  // part: walked(r)
    RETURN end, origin, r
  }
  WITH block, depth, deeper, end, origin, r ORDER BY coalesce(r.rank, 0), type(r), origin.id
  WITH block, depth, deeper, end, collect({origin: origin, r: r})[0] AS way
  ORDER BY block, depth, coalesce(way.r.rank, 0), end.created_at DESC, end.id SKIP $skip LIMIT $take
  RETURN collect({
    id: end.id,
    kind: toLower([label IN labels(end) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(end)
    text: left(CASE WHEN end:Entity THEN toStringOrNull(end.name + coalesce(': ' + end.description, '')) ELSE toStringOrNull(end.content) END, $text_length),  // part: text(end)
    depth: depth, via: type(way.r), reached_from: way.origin.id,
    created_at: CASE WHEN coalesce(end.created_at, end.recorded_at) IS :: ZONED DATETIME THEN coalesce(end.created_at, end.recorded_at) END,  // part: time_of(end)
    author: end.author, mode: end.mode,
    session_id: end.session_id,
    step_index: CASE WHEN end.step_index IS :: INTEGER AND end.step_index < 2147483648 THEN end.step_index END,  // part: step(end)
    outside_chain: NOT coalesce(end.chained = true, end.session_id IS NULL),  // part: in_chain(end)
    // part: revised_by(end)
    revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
      x IN [(end)<-[:REVISES*1..8]-(revision) | revision]
      WHERE x.namespace = $namespace
        AND CASE WHEN x:Thought
          THEN
            x.content IS :: STRING NOT NULL  // part: not_redacted(x)
            AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
            AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
          ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
    // end of part
    // part: solved_by(end)
    solved_by: reduce(best = [-1.0, datetime('0001-01-01'), null], solution IN [
      s IN [(end)<-[:REVISES*0..8]-()<-[:SOLVES]-(first) | reduce(latest = null, x IN [
        x IN [(first)<-[:REVISES*0..8]-(version) | version]
        WHERE x.namespace = $namespace
          AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
          AND x.hot = true  // part: hot(x)
          AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        ] | CASE WHEN latest IS NULL OR x.created_at > latest.created_at THEN x ELSE latest END)]
      WHERE s IS NOT NULL | [coalesce(s.salience, 0.0), s.created_at, s.id]] | CASE WHEN solution > best THEN solution ELSE best END)[2],
    // end of part
    // part: contradicted_by(end, datetime())
    contradicted_by: reduce(strongest = [-2.0, null], c IN [
      c IN [(end)<-[link:CONTRADICTS]-(x) | {
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
    score: way.r.score, rank: way.r.rank,
    redacted_at: end.redacted_at
  }) AS steps, max(deeper) AS deeper
}
// In: the parameters. Out: unknown, the types to walk that no relationship of the database ever had. Types are looked up only if users made them.
CALL () {
  WITH [type IN $types WHERE NOT type IN $reserved_types] AS others
  // In: others, the types that users made. Out: known, the types of the database; empty unless there are others.
  CALL (others) {
    WITH others WHERE others <> []
    CALL db.relationshipTypes() YIELD relationshipType AS type
    RETURN collect(type) AS known
  }
  RETURN [type IN others WHERE NOT type IN known] AS unknown
}
RETURN start IS NOT NULL AS found, coalesce(steps, []) AS steps, coalesce(deeper, 0) = 1 AS deeper, unknown
