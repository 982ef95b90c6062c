// A link to a thought that does not exist yet waits at one Pending node; see think/store_thoughts.cypher.
CYPHER 25
CREATE CONSTRAINT pending_key IF NOT EXISTS FOR (p:Pending) REQUIRE (p.namespace, p.id) IS UNIQUE
