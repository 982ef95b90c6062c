// A session's chain in order, without sorting: verification streams it in flat memory.
CYPHER 25
CREATE RANGE INDEX thought_steps IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.session_id, t.step_index)
