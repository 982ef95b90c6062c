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
// Relations that are not true now are not walked. Sections of long thoughts are walked, and not returned.
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
:param first => 0;
:param block_size => 400;
:param max_nodes => 400;
:param skip => 0;
:param take => 10;
CYPHER 25
OPTIONAL MATCH (named:Thought|Entity|Observation {id: $id, namespace: $namespace})
WHERE (named.is_private = false OR named.session_id = $own_session OR NOT named:Thought) AND coalesce(named.found_until > datetime(), true)  // part: visible_node(named)
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
      (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= datetime() AND datetime() < r.valid_to, true))  // part: walked(r)
      )
      AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.merged_at IS NULL
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
      )
    RETURN n, min(length(path)) AS depth
    UNION ALL
    WITH start, named WHERE $direction = 'forward'
    MATCH path = (start)<-[way*1..101]-(n)
    WHERE all(r IN way WHERE
      (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= datetime() AND datetime() < r.valid_to, true))  // part: walked(r)
      )
      AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.merged_at IS NULL
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
      )
    RETURN n, min(length(path)) AS depth
    UNION ALL
    WITH start, named WHERE $direction = 'both'
    MATCH path = (start)-[way*1..101]-(n)
    WHERE all(r IN way WHERE
      (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= datetime() AND datetime() < r.valid_to, true))  // part: walked(r)
      )
      AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.merged_at IS NULL
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
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
      AND (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= datetime() AND datetime() < r.valid_to, true))  // part: walked(r)
    RETURN end, origin, r
    UNION ALL
    WITH * WHERE $direction <> 'back'
    UNWIND found AS end
    MATCH (end)-[r]->(origin)
    WHERE origin IN previous
      AND (type(r) IN $types OR named AND NOT type(r) IN $reserved_types) AND (type(r) IN $reserved_types OR coalesce(r.valid_from <= datetime() AND datetime() < r.valid_to, true))  // part: walked(r)
    RETURN end, origin, r
  }
  WITH block, depth, deeper, end, origin, r ORDER BY coalesce(r.rank, 0), type(r), origin.id
  WHERE (NOT end.id CONTAINS '::')  // part: whole(end)
  WITH block, depth, deeper, end, collect({origin: origin, r: r})[0] AS way
  ORDER BY block, depth, coalesce(way.r.rank, 0), end.created_at DESC, end.id SKIP $skip LIMIT $take
  RETURN collect({
    id: end.id, depth: depth, via: type(way.r), reached_from: way.origin.id, score: way.r.score, rank: way.r.rank
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
RETURN start IS NOT NULL AS found, coalesce(deeper, 0) = 1 AS deeper, unknown, coalesce(steps, []) AS steps
