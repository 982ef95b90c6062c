// The thoughts of a namespace in the order of the server's clock: subscriptions poll it, since Community has no change
// feed. recorded_at does not serve: its clock is the caller's, and a text is embedded after it, which may take minutes.
CYPHER 25
CREATE RANGE INDEX thought_stored IF NOT EXISTS FOR (t:Thought) ON (t.namespace, t.stored_at)
