// One Session, and so one chain head, for each id in a namespace.
CYPHER 25
CREATE CONSTRAINT session_key IF NOT EXISTS FOR (s:Session) REQUIRE (s.namespace, s.id) IS UNIQUE
