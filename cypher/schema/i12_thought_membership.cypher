// What belongs to a session, also what was written by hand without a step or a time, and the sessions of a namespace.
CYPHER 25
CREATE RANGE INDEX thought_membership IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.session_id)
