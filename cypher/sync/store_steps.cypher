// Creates thoughts of a segment as they were stored, hashes included, with the links that their properties name, which wait if their
// target is not here, and moves the heads of their sessions and of what other machines continued.
:param namespace => 'default';
:param rows => [{properties: {id: 'thought-1', namespace: 'default', session_id: 'try', content: 'text', step_index: 0, is_private: false}, links: [{type: 'FOLLOWS', id: 'thought-0'}]}];
:param sessions => [{id: 'try', properties: {head_hash: 'hash', head_step: 0, head_id: 'thought-1', head_key_id: null, branches: ['hash 0 - thought-1']}}];
CYPHER 25
UNWIND range(0, size($rows) - 1) AS i
WITH $rows[i] AS row, datetime.realtime() + duration({nanoseconds: i}) AS now WHERE NOT EXISTS { (:Thought {id: row.properties.id}) }
CREATE (t:Thought)
SET t = row.properties, t.access_count = 0, t.stored_at = now, t.noted_at = now, t.embedding_deferred = CASE WHEN t.content IS NULL OR t.redacts IS NOT NULL THEN null ELSE true END
CALL (t) {
  WITH t WHERE t.session_id IS NOT NULL
  MATCH (s:Session {namespace: $namespace, id: t.session_id})
  CREATE (t)-[:IN_SESSION]->(s)
}
CALL (t) {
  WITH t WHERE t.action_id IS NOT NULL
  MERGE (action:Action {namespace: $namespace, id: t.action_id})
  ON CREATE SET action.created_at = t.recorded_at
  CREATE (t)-[:FOR_ACTION]->(action)
}
CALL (t, row) {
  UNWIND row.links AS link
  OPTIONAL MATCH (target:Thought {id: link.id}) WHERE target.namespace = $namespace
    AND CASE target.is_private WHEN false THEN true ELSE target.session_id = t.session_id END  // part: permitted(target, t.session_id)
  FOREACH (x IN CASE WHEN target IS NULL THEN [] ELSE [target] END | CREATE (t)-[:$(link.type)]->(x))
  FOREACH (_ IN CASE WHEN target IS NULL THEN [1] ELSE [] END |
    MERGE (p:Pending {namespace: $namespace, id: link.id})
    CREATE (t)-[:AWAITS {type: link.type}]->(p))
}
WITH collect(t) AS made
CALL (made) {
  UNWIND made AS t
  MATCH (p:Pending {namespace: $namespace, id: t.id})
  MATCH (waiting)-[a:AWAITS]->(p)
  WHERE CASE t.is_private WHEN false THEN true ELSE t.session_id = waiting.session_id END  // part: permitted(t, waiting.session_id)
  CREATE (waiting)-[:$(a.type)]->(t)
  DELETE a
  WITH DISTINCT p WHERE NOT EXISTS { (p)<-[:AWAITS]-() }
  DELETE p
}
UNWIND $sessions AS moved
MATCH (s:Session {namespace: $namespace, id: moved.id})
SET s += moved.properties
