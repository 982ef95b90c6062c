// Counts the nodes with a label of LegacyMind that it has not stored: made by hand, or by another program. Reads every
// node of these labels.
CYPHER 25
MATCH (n:Entity|Observation|Thought) WHERE n.ns_key IS NULL AND n.merged_at IS NULL
RETURN count(n) AS count
