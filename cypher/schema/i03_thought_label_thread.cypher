// The thoughts of a chain_id (a label for grouping) as a thread in time.
CYPHER 25
CREATE RANGE INDEX thought_label_thread IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.chain_id, t.created_at)
