// For every thought that led to an action what is above it in its session: parents, and theirs, nearest first. The
// path from the root is put together from them, since a thought that somebody gave two parents by hand has as
// many paths as there are choices on the way; here each thought is visited once, and so a cycle ends.
CYPHER 25
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(leaf:Thought)
  WHERE leaf.namespace = $namespace
  WITH leaf ORDER BY leaf.created_at, leaf.id SKIP $skip LIMIT $take
  CALL (leaf) {
    RETURN leaf AS n, 0 AS height
    UNION ALL
    WITH leaf
    MATCH path = (leaf)-[:CHILD_OF*1..200]->(n:Thought)
    WHERE n <> leaf AND all(x IN nodes(path) WHERE x.namespace = $namespace AND x.session_id = leaf.session_id)
    RETURN n, min(length(path)) AS height
  }
  WITH leaf, n, height ORDER BY height, n.step_index DESC
  WITH leaf, collect({
    id: n.id, parents: [(n)-[:CHILD_OF]->(p:Thought) | p.id], thought_type: n.thought_type,
    step_index: n.step_index, content: left(n.content, $text)
  }) AS above
  ORDER BY leaf.created_at, leaf.id
  RETURN collect(above) AS trails
}
RETURN trails, COUNT { (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(:Thought) } AS total
