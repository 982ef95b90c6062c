// New thoughts of a namespace: read by polling, since Community has no change feed.
CYPHER 25
CREATE RANGE INDEX thought_recorded IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.recorded_at)
