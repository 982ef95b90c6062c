// Thoughts that were imported, whose MENTIONS maintenance adds. The property exists only on those.
CYPHER 25
CREATE RANGE INDEX thought_mentions IF NOT EXISTS FOR (t:Thought) ON (t.mentions_deferred)
