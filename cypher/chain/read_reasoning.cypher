// Reads the ancestors of every thought that led to an action, within its session: parents and their parents, nearest
// first, up to $levels levels, and the highest level. The caller assembles the path from the root: a thought
// with two parents, which can be created by hand, multiplies the paths. Here each thought is visited
// once, so a cycle ends, and 10,000 steps take milliseconds. Private thoughts of other sessions are marked, since the
// path continues above them.
:param namespace => 'default';
:param own_session => '';
:param action_id => 'action-1';
:param known => datetime();
:param skip => 0;
:param take => 10;
:param levels => 50;
:param text_length => 150;
CYPHER 25
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(leaf:Thought)
  WHERE leaf.namespace = $namespace
    AND coalesce(leaf.created_at <= $known, true)  // part: existed(leaf, $known)
    AND CASE leaf.is_private WHEN false THEN true ELSE leaf.session_id = $own_session END AND coalesce(leaf.expires_at > datetime(), true)  // part: visible(leaf)
  WITH leaf ORDER BY leaf.created_at, leaf.id SKIP $skip LIMIT $take
  CALL (leaf) {
    MATCH path = (leaf)-[:CHILD_OF*1..]->(n:Thought)
    WHERE n <> leaf AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.session_id = leaf.session_id
      AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
    )
    WITH n, min(length(path)) AS height
    RETURN coalesce(max(height), 0) AS highest,
      collect(CASE WHEN height < $levels THEN {node: n, height: height} END) AS near
  }
  CALL (leaf, near) {
    UNWIND [{node: leaf, height: 0}] + near AS one
    WITH leaf, one.node AS n, one.height AS height ORDER BY height, n.step_index DESC
    RETURN collect({
      id: CASE WHEN n.id IS :: STRING NOT NULL THEN n.id ELSE 'no id, node ' + elementId(n) END,  // part: id_of(n)
      height: height, thought_type: n.thought_type,
      step_index: CASE WHEN n.step_index IS :: INTEGER AND n.step_index < 2147483648 THEN n.step_index END,  // part: step(n)
      outside_chain: NOT coalesce(n.chained = true AND n.id IS :: STRING NOT NULL AND n.session_id IS :: STRING NOT NULL AND n.step_index IS :: INTEGER NOT NULL, false),  // part: proven(n)
      content: left(toStringOrNull(n.content), $text_length), redacted_at: n.redacted_at,
      private: NOT coalesce(
        CASE n.is_private WHEN false THEN true ELSE n.session_id = $own_session END AND coalesce(n.expires_at > datetime(), true)  // part: visible(n)
        , false),
      parents: [(n)-[:CHILD_OF]->(p:Thought) WHERE p.namespace = $namespace AND p.session_id = leaf.session_id
        AND coalesce(p.created_at <= $known, true)  // part: existed(p, $known)
        | p.id]
    }) AS steps
  }
  WITH leaf, steps, highest ORDER BY leaf.created_at, leaf.id
  RETURN collect({steps: steps, height: highest}) AS trails
}
// part: action_total()
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
    AND coalesce(t.created_at <= $known, true)  // part: existed(t, $known)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
  RETURN count(t) AS total
}
// end of part
RETURN trails, total
