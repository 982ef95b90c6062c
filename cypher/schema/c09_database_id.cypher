// One node says which schema and whose vectors this database holds.
CYPHER 25
CREATE CONSTRAINT database_id IF NOT EXISTS FOR (d:LegacyMind) REQUIRE d.id IS UNIQUE
