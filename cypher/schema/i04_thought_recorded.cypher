// The thoughts of a namespace by the time of their record, newest first.
CYPHER 25
CREATE RANGE INDEX thought_recorded IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.recorded_at)
