// Reads what still waits for its vector in this slot, in any namespace: it was stored while the embedder was down, or the
// slot is being filled. The marking property has an index for each label and exists only on waiting nodes. It names the
// slot, or is true for every slot. content is the text of a thought or
// observation, or the description of an entity. name is the entity's own name, or for an observation the name of its
// entity.
:param limit => 100;
CYPHER 25
CALL () {
  MATCH (t:Thought)
  WHERE t.embedding_deferred IN [true, 'embedding_a']
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
  RETURN 'thought' AS kind, t.id AS id, t.content AS content, t.mode AS mode, null AS name, null AS entity_type
  LIMIT $limit
  UNION ALL
  MATCH (e:Entity) WHERE e.embedding_deferred IN [true, 'embedding_a']
  RETURN 'entity' AS kind, e.id AS id, e.description AS content, null AS mode, e.name AS name,
    e.entity_type AS entity_type
  LIMIT $limit
  UNION ALL
  MATCH (o:Observation) WHERE o.embedding_deferred IN [true, 'embedding_a']
  RETURN 'observation' AS kind, o.id AS id, o.content AS content, null AS mode,
    head(COLLECT { MATCH (o)-[:ABOUT]->(e:Entity) RETURN e.name }) AS name, null AS entity_type
  LIMIT $limit
}
RETURN kind, id, content, mode, name, entity_type
LIMIT $limit
