// Finds the thoughts, entities and facts of a namespace whose words may name something, and what is linked with one of the entities $linked. The caller
// compares the texts, because Cypher knows no words. own are the texts that go with the node, others those that go without it. Full text is
// eventually consistent, so the statement first waits until it has what is stored.
:param namespace => 'default';
:param own_session => '';
:param queries => [{index: 'thought_text', text: '"ada"'}];
:param linked => ['entity-1'];
CYPHER 25
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
CALL () {
  UNWIND $queries AS query
  CALL db.index.fulltext.queryNodes(query.index, query.text) YIELD node AS n
  RETURN n
  UNION
  MATCH (n:Entity) WHERE n.id IN $linked
  RETURN n
  UNION
  MATCH (n:Thought)-[:MENTIONS]->(e:Entity) WHERE e.id IN $linked
  RETURN n
}
WITH DISTINCT n WHERE n.namespace = $namespace AND (NOT n:Thought OR
  CASE n.is_private WHEN false THEN true ELSE n.session_id = $own_session END  // part: permitted(n)
)
RETURN n.id AS id,
  n.id IN $linked OR n:Thought AND n.content IS NOT NULL AND EXISTS { (n)-[:MENTIONS]->(e:Entity) WHERE e.id IN $linked } AS linked,
  CASE WHEN n.merged_at IS NULL THEN [text IN [n.content, n.hypothesis, n.source, n.name, n.entity_type] + coalesce(n.aliases, []) WHERE text IS NOT NULL] ELSE [] END AS own,
  n {.description, .data, .merged_by, .merged_reason} AS others
