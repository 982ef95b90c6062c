// Reads what one thought links to and what links to it. A link exists when its relationship does: the immutable id
// alone may wait for its thought. Ten thousand thoughts may link to one, so each kind is counted and a page of it
// returned, oldest first. Private thoughts exist in their own session only, and none that is later than $known.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param known => datetime('9999-12-31');
:param skip => 0;
:param take => 10;
CYPHER 25
OPTIONAL MATCH (t:Thought {id: $id, namespace: $namespace})
WHERE coalesce(t.created_at <= $known, true)  // part: existed(t, $known)
  AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
RETURN
  t {.previous_thought_id, .revises_thought, .branch_from, .parent_id, .action_id} AS links,
  t.redacted_at AS redacted_at,
  NOT coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
  AS outside_chain,
  {
    previous_thought_id: EXISTS {
      (t)-[:FOLLOWS]->(x:Thought {id: t.previous_thought_id, namespace: $namespace})
      WHERE CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
    },
    revises_thought: EXISTS {
      (t)-[:REVISES]->(x:Thought {id: t.revises_thought, namespace: $namespace})
      WHERE CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
    },
    branch_from: EXISTS {
      (t)-[:BRANCHES_FROM]->(x:Thought {id: t.branch_from, namespace: $namespace})
      WHERE CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
    },
    parent_id: EXISTS {
      (t)-[:CHILD_OF]->(x:Thought {id: t.parent_id, namespace: $namespace})
      WHERE CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
    },
    action_id: EXISTS { (t)-[:FOR_ACTION]->(:Action {id: t.action_id, namespace: $namespace}) }
  } AS resolved,
  {
    count: COUNT {
      MATCH (x:Thought)-[:FOLLOWS]->(t)
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
    },
    ids: COLLECT {
      MATCH (x:Thought)-[:FOLLOWS]->(t)
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
      RETURN x.id ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
    }
  } AS followed_by,
  {
    count: COUNT {
      MATCH (x:Thought)-[:REVISES]->(t)
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
    },
    ids: COLLECT {
      MATCH (x:Thought)-[:REVISES]->(t)
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
      RETURN x.id ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
    }
  } AS revised_by,
  {
    count: COUNT {
      MATCH (x:Thought)-[:BRANCHES_FROM]->(t)
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
    },
    ids: COLLECT {
      MATCH (x:Thought)-[:BRANCHES_FROM]->(t)
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
      RETURN x.id ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
    }
  } AS branches,
  {
    count: COUNT {
      MATCH (x:Thought)-[:CHILD_OF]->(t)
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
    },
    ids: COLLECT {
      MATCH (x:Thought)-[:CHILD_OF]->(t)
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $known, true)  // part: existed(x, $known)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
      RETURN x.id ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
    }
  } AS children
