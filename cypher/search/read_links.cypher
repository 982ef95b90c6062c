// What one thought links to, and what links to it. A link is there when its relationship is: the immutable id
// alone says only what was meant, and waits for its thought. What links to it may be ten thousand, so each kind
// is counted and a page of it given, oldest first; private ones only of the own session.
CYPHER 25
OPTIONAL MATCH (t:Thought {id: $id, namespace: $namespace})
RETURN
  t {.previous_thought_id, .revises_thought, .branch_from, .parent_id, .action_id} AS links,
  t.redacted_at AS redacted_at,
  {
    previous_thought_id: EXISTS { (t)-[:FOLLOWS]->(:Thought {id: t.previous_thought_id, namespace: $namespace}) },
    revises_thought: EXISTS { (t)-[:REVISES]->(:Thought {id: t.revises_thought, namespace: $namespace}) },
    branch_from: EXISTS { (t)-[:BRANCHES_FROM]->(:Thought {id: t.branch_from, namespace: $namespace}) },
    parent_id: EXISTS { (t)-[:CHILD_OF]->(:Thought {id: t.parent_id, namespace: $namespace}) },
    action_id: EXISTS { (t)-[:FOR_ACTION]->(:Action {id: t.action_id, namespace: $namespace}) }
  } AS resolved,
  {
    count: COUNT {
      MATCH (x:Thought)-[:FOLLOWS]->(t)
      WHERE x.namespace = $namespace AND (coalesce(x.is_private, false) = false OR x.session_id = $own_session)
    },
    ids: COLLECT {
      MATCH (x:Thought)-[:FOLLOWS]->(t)
      WHERE x.namespace = $namespace AND (coalesce(x.is_private, false) = false OR x.session_id = $own_session)
      RETURN x.id ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
    }
  } AS followed_by,
  {
    count: COUNT {
      MATCH (x:Thought)-[:REVISES]->(t)
      WHERE x.namespace = $namespace AND (coalesce(x.is_private, false) = false OR x.session_id = $own_session)
    },
    ids: COLLECT {
      MATCH (x:Thought)-[:REVISES]->(t)
      WHERE x.namespace = $namespace AND (coalesce(x.is_private, false) = false OR x.session_id = $own_session)
      RETURN x.id ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
    }
  } AS revised_by,
  {
    count: COUNT {
      MATCH (x:Thought)-[:BRANCHES_FROM]->(t)
      WHERE x.namespace = $namespace AND (coalesce(x.is_private, false) = false OR x.session_id = $own_session)
    },
    ids: COLLECT {
      MATCH (x:Thought)-[:BRANCHES_FROM]->(t)
      WHERE x.namespace = $namespace AND (coalesce(x.is_private, false) = false OR x.session_id = $own_session)
      RETURN x.id ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
    }
  } AS branches,
  {
    count: COUNT {
      MATCH (x:Thought)-[:CHILD_OF]->(t)
      WHERE x.namespace = $namespace AND (coalesce(x.is_private, false) = false OR x.session_id = $own_session)
    },
    ids: COLLECT {
      MATCH (x:Thought)-[:CHILD_OF]->(t)
      WHERE x.namespace = $namespace AND (coalesce(x.is_private, false) = false OR x.session_id = $own_session)
      RETURN x.id ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
    }
  } AS children
