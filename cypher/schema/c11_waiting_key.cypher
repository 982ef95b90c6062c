// What synchronisation could not store yet, each line once.
CYPHER 25
CREATE CONSTRAINT waiting_key IF NOT EXISTS FOR (w:Waiting) REQUIRE (w.namespace, w.id) IS UNIQUE
