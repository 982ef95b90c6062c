// The pinned thoughts of a namespace, which every context begins with.
CYPHER 25
CREATE RANGE INDEX thought_pinned IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.pinned)
