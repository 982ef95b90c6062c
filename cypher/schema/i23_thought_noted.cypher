// What changed in a namespace, in the order of the server's clock, for synchronisation.
CYPHER 25
CREATE RANGE INDEX thought_noted IF NOT EXISTS FOR (n:Thought) ON (n.namespace, n.noted_at)
