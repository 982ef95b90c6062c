// A namespace in time: the newest thoughts, without a query.
CYPHER 25
CREATE RANGE INDEX thought_created IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.created_at)
