// One node holds the schema version and the embedding model of this database.
CYPHER 25
CREATE CONSTRAINT database_id IF NOT EXISTS FOR (d:LegacyMind) REQUIRE d.id IS UNIQUE
