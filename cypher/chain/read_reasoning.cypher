// Reads the ancestors of every thought that led to an action, within its session: the thought, its parent and so on, up to
// $levels, and how many there are. Each thought is visited once, so a cycle ends, and 10,000 steps take milliseconds.
// Private thoughts of other sessions are marked, since the path continues above them.
:param namespace => 'default';
:param own_session => '';
:param action_id => 'action-1';
:param skip => 0;
:param take => 10;
:param levels => 50;
:param text_length => 150;
CYPHER 25
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(leaf:Thought)
  WHERE leaf.namespace = $namespace
    AND CASE leaf.is_private WHEN false THEN true ELSE leaf.session_id = $own_session END AND coalesce(leaf.found_until > datetime(), true)  // part: visible(leaf)
  WITH leaf ORDER BY leaf.created_at, leaf.id SKIP $skip LIMIT $take
  CALL (leaf) {
    MATCH path = (leaf)-[:CHILD_OF*1..]->(n:Thought)
    WHERE n <> leaf AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.session_id = leaf.session_id)
    WITH n, min(length(path)) AS height ORDER BY height
    WITH collect(n) AS above
    RETURN [leaf] + above AS line
  }
  CALL (line) {
    UNWIND line[..$levels] AS n
    RETURN collect([n.parent_id,
      NOT coalesce(
        CASE n.is_private WHEN false THEN true ELSE n.session_id = $own_session END AND coalesce(n.found_until > datetime(), true)  // part: visible(n)
        , false), {
      thought_id: CASE WHEN n.id IS :: STRING NOT NULL THEN n.id ELSE 'no id, node ' + elementId(n) END,  // part: id_of(n)
      thought_type: n.thought_type,
      step_index: CASE WHEN n.step_index IS :: INTEGER AND n.step_index < 2147483648 THEN n.step_index END,  // part: step(n)
      outside_chain: CASE WHEN NOT
        coalesce(n.chained = true AND n.id IS :: STRING NOT NULL AND n.session_id IS :: STRING NOT NULL AND n.step_index IS :: INTEGER NOT NULL, false)  // part: proven(n)
        THEN true END,
      content: coalesce(left(toStringOrNull(n.content), $text_length), ''), redacted_at: n.redacted_at
    }, n {.origin, .door, .trust}]) AS steps
  }
  WITH leaf, steps, size(line) AS length ORDER BY leaf.created_at, leaf.id
  RETURN collect([steps, length]) AS trails
}
RETURN trails, COUNT {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
} AS total
