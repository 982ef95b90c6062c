// part: in_chain(t, is = =)
// The thought has the form in which LegacyMind stores it: without a session, or in one as a numbered, hashed step. Only
// verification finds out whether the hash is right. With <> for =, it marks a thought outside its session's chain.
// Not COUNT { … }: with it, the planner reads a whole index for a page of a thread.
CASE WHEN EXISTS { ({{t}})-[:IN_SESSION]->() } THEN 1 ELSE 0 END {{is}} CASE WHEN {{t}}.session_id IS NULL THEN 0 WHEN {{t}}.chain_hash IS NOT NULL AND {{t}}.step_index IS :: INTEGER NOT NULL AND {{t}}.step_index >= 0 THEN 1 ELSE -1 END
