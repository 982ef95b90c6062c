// The chain_ids of a namespace, to list them.
CYPHER 25
CREATE RANGE INDEX thought_labels IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.chain_id)
