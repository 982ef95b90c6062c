// Finds gaps and broken links of a session's chain, for use in Neo4j Browser without LegacyMind.
// Returns one row for each fault and none for an intact chain. It compares steps, hashes of neighbours, the heads of
// all branches and relationships. Only `legacymind verify` can compare a content with its hash, since Cypher has no SHA-256.
:param namespace => 'default';
:param session_id => 'my-session';
CYPHER 25
MATCH (t:Thought)
WHERE t.namespace = $namespace AND t.session_id = $session_id AND t.step_index >= 0
WITH t, t.chain_hash + ' ' + toString(t.step_index) AS line, EXISTS {
  MATCH (p:Thought)
  WHERE p.namespace = $namespace AND p.session_id = $session_id AND p.step_index = t.step_index - 1 AND p.chain_hash = t.prev_hash
} AS follows, EXISTS {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.session_id = $session_id AND n.step_index = t.step_index + 1 AND n.prev_hash = t.chain_hash
} AS followed
ORDER BY t.step_index, t.id
WITH collect(t) AS steps, collect({line: line, follows: follows, followed: followed}) AS found
OPTIONAL MATCH (s:Session {namespace: $namespace, id: $session_id})
WITH steps, found, s, [s.head_hash + ' ' + toString(s.head_step)] + [
  branch IN CASE WHEN s.branches IS :: LIST<STRING NOT NULL> NOT NULL THEN s.branches ELSE [] END
  | split(branch, ' ')[0] + ' ' + split(branch, ' ')[1]
] AS heads, [one IN found WHERE NOT one.followed | one.line] AS ends
UNWIND range(0, size(steps)) AS i
WITH s, heads, ends, size(steps) AS count, CASE WHEN i > 0 THEN steps[i - 1] END AS before, CASE WHEN i > 0 THEN found[i - 1].line END AS last,
  CASE WHEN i < size(steps) THEN steps[i] END AS t, CASE WHEN i < size(steps) THEN found[i] END AS own
WITH coalesce(t.step_index, count) AS step, t.id AS thought, [
  CASE WHEN before IS NULL AND t.step_index > 0 THEN 'the first step is missing' END,
  CASE WHEN t.step_index > before.step_index + 1 THEN 'steps are missing before this one' END,
  CASE WHEN t.step_index = before.step_index AND size(heads) = 1 THEN 'two thoughts have this step' END,
  CASE WHEN size(heads) > 1 AND NOT own.followed AND NOT own.line IN heads THEN 'a branch ends here that the session does not have' END,
  CASE WHEN before IS NOT NULL AND t.step_index > 0 AND NOT own.follows THEN 'does not follow the step before' END,
  CASE WHEN t IS NULL AND s IS NULL THEN 'the session is missing' END,
  CASE WHEN t IS NULL AND s IS NOT NULL AND count + coalesce(s.head_step, -1) >= 0
      AND NOT coalesce(last IN heads AND all(head IN heads WHERE head IN ends), false)
    THEN 'the head is at another step or hash: the end was cut off, or the head was changed' END,
  CASE WHEN t IS NOT NULL AND NOT EXISTS { (t)-[:IN_SESSION]->(s) } THEN 'IN_SESSION was removed or points elsewhere' END,
  CASE WHEN t IS NOT NULL AND NOT coalesce(t.chained = true, false) THEN 'chained was removed or changed' END,
  CASE WHEN t.previous_thought_id IS NOT NULL AND NOT EXISTS { (t)-[:FOLLOWS]->({id: t.previous_thought_id}) }
    AND NOT EXISTS { (t)-[:AWAITS {type: 'FOLLOWS'}]->(:Pending {id: t.previous_thought_id}) } THEN 'FOLLOWS was removed or points elsewhere' END,
  CASE WHEN t.revises_thought IS NOT NULL AND NOT EXISTS { (t)-[:REVISES]->({id: t.revises_thought}) }
    AND NOT EXISTS { (t)-[:AWAITS {type: 'REVISES'}]->(:Pending {id: t.revises_thought}) } THEN 'REVISES was removed or points elsewhere' END,
  CASE WHEN t.branch_from IS NOT NULL AND NOT EXISTS { (t)-[:BRANCHES_FROM]->({id: t.branch_from}) }
    AND NOT EXISTS { (t)-[:AWAITS {type: 'BRANCHES_FROM'}]->(:Pending {id: t.branch_from}) } THEN 'BRANCHES_FROM was removed or points elsewhere' END,
  CASE WHEN t.parent_id IS NOT NULL AND NOT EXISTS { (t)-[:CHILD_OF]->({id: t.parent_id}) }
    AND NOT EXISTS { (t)-[:AWAITS {type: 'CHILD_OF'}]->(:Pending {id: t.parent_id}) } THEN 'CHILD_OF was removed or points elsewhere' END,
  CASE WHEN t.action_id IS NOT NULL AND NOT EXISTS { (t)-[:FOR_ACTION]->(:Action {id: t.action_id}) }
    THEN 'FOR_ACTION was removed or points elsewhere' END
] AS faults
UNWIND faults AS fault
WITH step, thought, fault WHERE fault IS NOT NULL
RETURN step, thought, fault ORDER BY step
