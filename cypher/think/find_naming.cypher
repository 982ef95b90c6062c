// Finds the thoughts whose words may name an entity, of any session, private or not: what they mention belongs to them. The
// caller compares the texts. Full text is eventually consistent, so it first waits until it has what is stored.
:param entities => [{id: 'entity-1', target: 'entity-1', namespace: 'default', text_query: 'content:"retry"'}];
CYPHER 25
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
UNWIND $entities AS entity
CALL (entity) {
  CALL db.index.fulltext.queryNodes('thought_text', entity.text_query) YIELD node AS t
  WITH t
  WHERE t.namespace = entity.namespace
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND NOT EXISTS { (t)-[:MENTIONS]->(:Entity {id: entity.target}) }
  RETURN t.id AS id, t.content AS content
}
RETURN entity.id AS entity, entity.namespace AS namespace, id, content
