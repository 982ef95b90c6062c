// The thoughts of a namespace that the curator took out of recall, to restore them.
CYPHER 25
CREATE RANGE INDEX thought_curated IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.curated_at)
