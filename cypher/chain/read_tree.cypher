// Reads a page of a session's thought tree as a flat list: the next roots in step order with their descendants. With
// $root_id, it reads that thought (level -1) and the next of its children.
//
// A root is a thought without a parent in the session, or the first step of a cycle. An import can create a cycle, and
// without this rule it would be missing. A thought with an earlier parent is no root, so the search for cycles
// follows only thoughts with a later parent, up to 50 levels.
//
// min(length(path)) returns each thought once, on its nearest level and under its first root, although thoughts with
// two parents, which can be created by hand, double the paths with every level. Trees are returned one after the
// other, so the next page starts with the first node beyond $max_nodes. Levels below $depth need another call.
//
// all(x IN [p] WHERE …) makes the planner follow the relationship of each root. With plain conditions on p, it reads
// the session from the index for each root if sessions are short on average: minutes for one of 10,000 thoughts.
:param namespace => 'default';
:param session_id => 'try';
:param root_id => '';
:param known => datetime();
:param after => 0;
:param take => 10;
:param depth => 10;
:param max_nodes => 500;
:param text_length => 200;
CYPHER 25
OPTIONAL MATCH (top:Thought {id: $root_id}) WHERE top.namespace = $namespace AND top.session_id = $session_id
  AND coalesce(top.created_at <= $known, true)  // part: existed(top, $known)
// In: the parameters. Out: roots, a page of the roots of the session, and one more; empty for a subtree.
CALL () {
  WITH 1 AS always WHERE $root_id = ''
  MATCH (root:Thought) USING INDEX SEEK root:Thought(namespace, session_id, step_index)
  WHERE root.namespace = $namespace AND root.session_id = $session_id AND root.step_index >= $after
    AND root.step_index IS :: INTEGER NOT NULL
    AND coalesce(root.created_at <= $known, true)  // part: existed(root, $known)
    AND NOT EXISTS {
      (root)-[:CHILD_OF]->(p:Thought)
      WHERE all(x IN [p] WHERE x.namespace = $namespace AND x.session_id = $session_id
        AND x.step_index < root.step_index
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
      )
    }
  // In: root, which has no earlier parent. Out: a row if it has no parent at all, or is the first step of its cycle.
  CALL (root) {
    WITH root
    WHERE NOT EXISTS {
      (root)-[:CHILD_OF]->(p:Thought) WHERE p.namespace = $namespace AND p.session_id = $session_id
        AND coalesce(p.created_at <= $known, true)  // part: existed(p, $known)
    }
    RETURN 1 AS top
    UNION ALL
    MATCH path = (root)-[:CHILD_OF*1..50]->(n:Thought)
    WHERE all(x IN nodes(path) WHERE x.namespace = $namespace AND x.session_id = $session_id
      AND x.step_index >= root.step_index
      AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
    )
    WITH root, n, min(length(path)) AS above
    WHERE n = root
    RETURN 1 AS top
  }
  WITH root ORDER BY root.step_index LIMIT $take + 1
  RETURN collect(root) AS roots
}
// In: top, the thought of $root_id, or null. Out: children, a page of its children, and one more.
CALL (top) {
  MATCH (top)<-[:CHILD_OF]-(child:Thought)
  WHERE child.namespace = $namespace AND child.session_id = $session_id AND child.step_index >= $after
    AND child.step_index IS :: INTEGER NOT NULL
    AND child.id <> $root_id
    AND coalesce(child.created_at <= $known, true)  // part: existed(child, $known)
  WITH DISTINCT child ORDER BY child.step_index LIMIT $take + 1
  RETURN collect(child) AS children
}
WITH top, roots + children AS page
// In: top, page. Out: below, a list of {node, level}: the page and what is below it, at most $max_nodes.
CALL (top, page) {
  UNWIND CASE WHEN $depth < 0 THEN [] ELSE page[..$take] END AS root // the page has one more, which only shows that there is a next page
  // In: root, one of the page. Out: rows of n and level, the root itself and its descendants up to $depth.
  CALL (root) {
    RETURN root AS n, 0 AS level
    UNION ALL
    WITH root WHERE $depth > 0
    MATCH path = (root)<-[:CHILD_OF*1..50]-(n:Thought)
    WHERE all(x IN nodes(path) WHERE x.namespace = $namespace AND x.session_id = $session_id
      AND x.id <> $root_id  // excludes the start, to which a cycle leads back
      AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
    )
    WITH n, min(length(path)) AS level WHERE level <= $depth
    RETURN n, level
  }
  WITH root, n, level ORDER BY level, root.step_index
  WITH n, min(level) AS level, collect(root.step_index)[0] AS root
  ORDER BY root, level, n.step_index LIMIT $max_nodes
  RETURN collect({node: n, level: level}) AS below
}
// In: top, below. Out: nodes, as they are returned.
CALL (top, below) {
  UNWIND CASE WHEN top IS NULL THEN below ELSE [{node: top, level: -1}] + below END AS one
  WITH one.node AS n, one.level AS level
  RETURN collect({
    id: n.id, level: level, thought_type: n.thought_type,
    step_index: CASE WHEN n.step_index IS :: INTEGER AND n.step_index < 2147483648 THEN n.step_index END,  // part: step(n)
    outside_chain: NOT coalesce(n.chained = true, n.session_id IS NULL),  // part: in_chain(n)
    parents: [(n)-[:CHILD_OF]->(p:Thought) WHERE p.namespace = $namespace AND p.session_id = $session_id
      AND coalesce(p.created_at <= $known, true)  // part: existed(p, $known)
      | p.id],
    content: CASE WHEN coalesce(n.expires_at > datetime(), true) THEN left(toStringOrNull(n.content), $text_length) END,
    created_at: CASE WHEN n.created_at IS :: ZONED DATETIME THEN n.created_at END,  // part: zoned(n.created_at)
    author: n.author, redacted_at: n.redacted_at,
    children: COUNT {
      (n)<-[:CHILD_OF]-(c:Thought) WHERE c.namespace = $namespace AND c.session_id = $session_id
        AND coalesce(c.created_at <= $known, true)  // part: existed(c, $known)
    }
  }) AS nodes
}
// In: the parameters. Out: total, how many thoughts the session has.
CALL () {
  MATCH (t:Thought)
  WHERE t.namespace = $namespace AND t.session_id = $session_id AND t.step_index IS NOT NULL // for the index
    AND coalesce(t.created_at <= $known, true)  // part: existed(t, $known)
  RETURN count(t) AS total
}
RETURN total, size(page) AS roots, nodes
