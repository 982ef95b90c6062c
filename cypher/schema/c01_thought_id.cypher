// A thought's id is unique in the whole database: a repeated write after a lost acknowledgement finds its own id.
CYPHER 25
CREATE CONSTRAINT thought_id IF NOT EXISTS FOR (t:Thought) REQUIRE t.id IS UNIQUE
