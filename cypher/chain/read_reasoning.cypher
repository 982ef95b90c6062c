// For every thought that led to an action the path from its root: parents within its session. A thought has one
// parent, so there is one longest path for each; a cycle ends it, since a path passes a relationship once.
CYPHER 25
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(leaf:Thought)
  WHERE leaf.namespace = $namespace
  WITH leaf ORDER BY leaf.created_at, leaf.id SKIP $skip LIMIT $take
  CALL (leaf) {
    MATCH path = (leaf) (()-[:CHILD_OF]->(p:Thought WHERE p.namespace = $namespace AND p.session_id = leaf.session_id)){0,200} ()
    RETURN path ORDER BY length(path) DESC LIMIT 1
  }
  RETURN collect([n IN reverse(nodes(path)) |
    {id: n.id, thought_type: n.thought_type, step_index: n.step_index, content: n.content}]) AS trails
}
RETURN trails, COUNT { (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(:Thought) } AS total
