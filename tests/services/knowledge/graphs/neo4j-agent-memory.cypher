// A graph as neo4j-agent-memory writes it: all three kinds of its memory.
CREATE (a:Entity:Person {id: $mark + 'a', name: 'Otto', type: 'PERSON', subtype: null, canonical_name: 'Otto Berg',
  description: 'A mechanic', embedding: [0.1, 0.2], confidence: 0.9, created_at: datetime(), metadata: '{}',
  name_key: 'otto', surface_keys: '|otto|', aliases: ['O. Berg'], mark: $mark})
CREATE (b:Entity:Object {id: $mark + 'b', name: 'Pump 3', type: 'OBJECT', embedding: null, created_at: datetime(),
  name_key: 'pump 3', surface_keys: '|pump 3|', mark: $mark})
CREATE (:Entity:Person {id: $mark + 'c', name: 'Otto B.', type: 'PERSON', merged_into: $mark + 'a', mark: $mark})
CREATE (a)-[:RELATED_TO {id: $mark + 'r', type: 'REPAIRS', relation_type: 'REPAIRS', confidence: 0.8, support: 1}]->(b)
CREATE (:Fact {id: $mark + 'f', subject: 'Otto', predicate: 'works at', object: 'the pump house', confidence: 1.0,
  valid_from: datetime('2026-01-01T00:00:00Z'), created_at: datetime(), mark: $mark})
CREATE (p:Preference {id: $mark + 'p', category: 'tools', preference: 'Prefers torque wrenches', context: 'at work',
  confidence: 1.0, created_at: datetime(), mark: $mark})
CREATE (p)-[:ABOUT]->(a)
CREATE (c:Conversation {id: $mark + 'k', session_id: $mark, title: 'Pump', created_at: datetime(), mark: $mark})
CREATE (m:Message {id: $mark + 'm', role: 'user', content: 'Is the pump hot?', embedding: [0.1], metadata: '{}',
  timestamp: datetime('2026-03-01T10:00:00Z'), mark: $mark})
CREATE (n:Message {id: $mark + 'n', role: 'assistant', content: 'It is.', metadata: '{}',
  timestamp: datetime('2026-03-01T10:00:01Z'), mark: $mark})
CREATE (s:Message {id: $mark + 's', role: 'system', content: 'You help.', metadata: '{}',
  timestamp: datetime('2026-03-01T09:00:00Z'), mark: $mark})
CREATE (c)-[:FIRST_MESSAGE]->(s) CREATE (s)-[:NEXT_MESSAGE]->(m) CREATE (m)-[:NEXT_MESSAGE]->(n)
CREATE (c)-[:HAS_MESSAGE]->(m) CREATE (c)-[:HAS_MESSAGE]->(n) CREATE (c)-[:HAS_MESSAGE]->(s)
CREATE (t:ReasoningTrace {id: $mark + 't', session_id: $mark, task: 'Cool the pump', success: true,
  started_at: datetime('2026-03-01T11:00:00Z'), mark: $mark})
CREATE (t)-[:HAS_STEP {order: 1}]->(:ReasoningStep {id: $mark + 'u', step_number: 1, thought: 'Open valve 9',
  action: 'open', observation: 'cooler', timestamp: datetime('2026-03-01T11:00:05Z'), mark: $mark})
