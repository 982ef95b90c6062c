// The thoughts of a namespace that expire, by when: few of all.
CYPHER 25
CREATE RANGE INDEX thought_expiry IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.expires_at)
