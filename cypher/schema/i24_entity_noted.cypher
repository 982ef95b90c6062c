// What changed in a namespace, in the order of the server's clock, for synchronisation.
CYPHER 25
CREATE RANGE INDEX entity_noted IF NOT EXISTS FOR (n:Entity) ON (n.namespace, n.noted_at)
