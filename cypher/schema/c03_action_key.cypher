// One Action for each id in a namespace.
CYPHER 25
CREATE CONSTRAINT action_key IF NOT EXISTS FOR (a:Action) REQUIRE (a.namespace, a.id) IS UNIQUE
