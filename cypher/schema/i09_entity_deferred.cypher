// Entities that wait for their vectors, as i08.
CYPHER 25
CREATE RANGE INDEX entity_deferred IF NOT EXISTS FOR (e:Entity) ON (e.embedding_deferred)
