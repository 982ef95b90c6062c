// part: proven(t)
// The thought was stored as a step of a chain, so that its session's verification proves it. A thought without a
// session is memory, but no evidence: anybody who writes to the database can make one.
coalesce({{t}}.chained = true AND {{t}}.id IS :: STRING NOT NULL AND {{t}}.session_id IS :: STRING NOT NULL AND {{t}}.step_index IS :: INTEGER NOT NULL, false)
