// Reads the graph of neo4j-agent-memory as records of an import. Its entities have the label Entity, as LegacyMind's own
// have, and are told apart by `type`; those that were merged into others are left out. Facts and preferences are
// observations. Messages of users and assistants are thoughts of their conversation, in order of time; the steps of a
// reasoning trace, after its task, are thoughts of a session of their own. `data` are the remaining properties of an
// entity as pairs of name and value. `place` names the node or relationship for messages.
CYPHER 25
CALL () {
  MATCH (n:Entity)
  WHERE n.type IS NOT NULL AND n.uuid IS NULL AND n.merged_into IS NULL
  RETURN 'entity' AS kind, 'Node ' + elementId(n) AS place,
    {name: n.name, entity_type: n.type, description: CASE WHEN n.description <> '' THEN n.description END} AS fields,
    [name IN ['subtype', 'canonical_name', 'aliases', 'confidence', 'metadata'] WHERE n[name] IS NOT NULL
      | [name, n[name]]] AS data
  UNION ALL
  MATCH (f:Fact)
  RETURN 'observation' AS kind, 'Node ' + elementId(f) AS place,
    {
      entity: f.subject, entity_type: null, content: f.subject + ' ' + f.predicate + ' ' + f.object,
      valid_from: f.valid_from, valid_to: f.valid_until
    } AS fields,
    [] AS data
  UNION ALL
  MATCH (p:Preference)
  OPTIONAL MATCH (p)-[:ABOUT]->(about:Entity)
  WITH p, min(about.name) AS entity
  RETURN 'observation' AS kind, 'Node ' + elementId(p) AS place,
    {
      entity: coalesce(entity, 'user'), entity_type: null, valid_from: null, valid_to: null,
      content: 'Preference (' + p.category + '): ' + p.preference
        + CASE WHEN p.context <> '' THEN ' (' + p.context + ')' ELSE '' END
    } AS fields,
    [] AS data
  UNION ALL
  MATCH (a:Entity)-[r:RELATED_TO]->(b:Entity)
  WHERE a.type IS NOT NULL AND b.type IS NOT NULL AND a.merged_into IS NULL AND b.merged_into IS NULL
  RETURN 'relation' AS kind, 'Relationship ' + elementId(r) AS place,
    {
      from: a.name, from_type: a.type, type: coalesce(r.type, r.relation_type, type(r)), to: b.name, to_type: b.type,
      valid_from: r.valid_from, valid_to: r.valid_until
    } AS fields,
    [] AS data
  UNION ALL
  MATCH (c:Conversation)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.role IN ['user', 'assistant']
  WITH c, m ORDER BY m.timestamp, m.id
  RETURN 'thought' AS kind, 'Node ' + elementId(m) AS place,
    {
      id: m.id, content: m.content, created_at: m.timestamp, session_id: c.session_id, author: m.role, chain_id: null
    } AS fields,
    [] AS data
  UNION ALL
  MATCH (t:ReasoningTrace)
  CALL (t) {
    RETURN t AS node, 0 AS number, t.id AS id, t.task AS content, t.started_at AS time, 'user' AS author
    UNION ALL
    MATCH (t)-[:HAS_STEP]->(s:ReasoningStep)
    RETURN s AS node, s.step_number AS number, s.id AS id, coalesce(s.timestamp, t.started_at) AS time,
      trim(coalesce(s.thought, '') + coalesce('\nAction: ' + s.action, '')
        + coalesce('\nObservation: ' + s.observation, '')) AS content, 'assistant' AS author
  }
  WITH * ORDER BY t.started_at, t.id, number
  RETURN 'thought' AS kind, 'Node ' + elementId(node) AS place,
    {
      id: id, content: content, created_at: time, author: author, chain_id: t.session_id,
      session_id: coalesce(t.session_id + '/', '') + 'trace/' + t.id
    } AS fields,
    [] AS data
}
RETURN kind, place, fields, data, null AS group
