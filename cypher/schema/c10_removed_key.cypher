// One removal of each id: what synchronisation does not bring back.
CYPHER 25
CREATE CONSTRAINT removed_key IF NOT EXISTS FOR (r:Removed) REQUIRE (r.namespace, r.id) IS UNIQUE
