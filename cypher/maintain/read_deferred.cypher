// What was stored while the embedder was down and still waits for its vector, of any namespace. The property that
// marks it has an index for each label, and is there on nobody else. content is a thought's, a fact's, or what an
// entity is described as; name and entity_type are the entity's, or of a fact the name of what it is about.
CYPHER 25
CALL () {
  MATCH (t:Thought) WHERE t.embedding_deferred = true AND t.content IS NOT NULL
  RETURN 'thought' AS kind, t.id AS id, t.content AS content, t.mode AS mode, null AS name, null AS entity_type
  LIMIT $limit
  UNION ALL
  MATCH (e:Entity) WHERE e.embedding_deferred = true
  RETURN 'entity' AS kind, e.id AS id, e.description AS content, null AS mode, e.name AS name,
    e.entity_type AS entity_type
  LIMIT $limit
  UNION ALL
  MATCH (o:Observation) WHERE o.embedding_deferred = true
  RETURN 'observation' AS kind, o.id AS id, o.content AS content, null AS mode,
    head(COLLECT { MATCH (o)-[:ABOUT]->(e:Entity) RETURN e.name }) AS name, null AS entity_type
  LIMIT $limit
}
RETURN kind, id, content, mode, name, entity_type
LIMIT $limit
