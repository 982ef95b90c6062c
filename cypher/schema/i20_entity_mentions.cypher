// Entities that are new, whose MENTIONS by earlier thoughts maintenance adds. The property exists only on those.
CYPHER 25
CREATE RANGE INDEX entity_mentions IF NOT EXISTS FOR (e:Entity) ON (e.mentions_deferred)
