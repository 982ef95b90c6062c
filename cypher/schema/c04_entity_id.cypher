// An entity's id is unique in the whole database.
CYPHER 25
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE
