// The standing preferences and instructions of a namespace, newest first (legacymind/text/standing.py).
CYPHER 25
CREATE RANGE INDEX thought_standing IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.standing, t.created_at)
