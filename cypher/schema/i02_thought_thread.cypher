// A session as a thread in time.
CYPHER 25
CREATE RANGE INDEX thought_thread IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.session_id, t.created_at)
