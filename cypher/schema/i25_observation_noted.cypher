// What changed in a namespace, in the order of the server's clock, for synchronisation.
CYPHER 25
CREATE RANGE INDEX observation_noted IF NOT EXISTS FOR (n:Observation) ON (n.namespace, n.noted_at)
