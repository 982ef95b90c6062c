// An observation's id is unique in the whole database.
CYPHER 25
CREATE CONSTRAINT observation_id IF NOT EXISTS FOR (o:Observation) REQUIRE o.id IS UNIQUE
