// The pinned thoughts of a namespace, with which every context begins.
CYPHER 25
CREATE RANGE INDEX thought_pinned IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.pinned)
