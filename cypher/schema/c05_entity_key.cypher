// Normalised name and type identify an entity: "Ada  Lovelace" and "ada lovelace" are one.
CYPHER 25
CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (e:Entity) REQUIRE (e.namespace, e.name_key, e.type_key) IS UNIQUE
