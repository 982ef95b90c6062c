// A graph as Graphiti writes it: two entities, an episode, a fact that ended, one that holds, and a community.
CREATE (a:Entity:Person {uuid: $mark + 'a', name: 'Kendra', group_id: $mark, summary: 'Kendra likes shoes', mark: $mark,
  created_at: datetime('2026-03-01T10:00:00Z'), name_embedding: [0.1, 0.2], labels: ['Person'], age: 31,
  born: date('1995-01-02')})
CREATE (b:Entity {uuid: $mark + 'b', name: 'Adidas', group_id: $mark, summary: '', mark: $mark,
  created_at: datetime('2026-03-01T10:00:00Z'), name_embedding: [0.1, 0.2], labels: []})
CREATE (e:Episodic {uuid: $mark + 'e', name: 'chat 1', group_id: $mark, source: 'message', source_description: 'chat',
  content: 'kendra: I love Adidas', entity_edges: [$mark + 'r'], created_at: datetime('2026-03-01T10:00:00Z'),
  valid_at: datetime('2026-02-28T10:00:00Z'), mark: $mark})
CREATE (e)-[:MENTIONS {uuid: $mark + 'm', group_id: $mark, created_at: datetime('2026-03-01T10:00:00Z')}]->(a)
CREATE (a)-[:RELATES_TO {uuid: $mark + 'r', group_id: $mark, name: 'LOVES', fact: 'Kendra loves Adidas shoes',
  fact_embedding: [0.1, 0.2], episodes: [$mark + 'e'], created_at: datetime('2026-03-01T10:00:00Z'),
  valid_at: datetime('2026-02-01T00:00:00Z'), invalid_at: datetime('2026-03-01T00:00:00Z')}]->(b)
CREATE (a)-[:RELATES_TO {uuid: $mark + 's', group_id: $mark, name: 'RETURNED', fact: 'Kendra returned the shoes',
  fact_embedding: [0.1, 0.2], episodes: [], created_at: datetime('2026-03-01T10:00:00Z')}]->(b)
CREATE (c:Community {uuid: $mark + 'c', name: 'Shoes', group_id: $mark, summary: 'Shoes', mark: $mark})
CREATE (c)-[:HAS_MEMBER {uuid: $mark + 'h', group_id: $mark}]->(a)
