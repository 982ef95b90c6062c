// part: in_chain(t)
// The thought was stored as a step of its session's chain, or has no session. A thought that was made by hand in a
// session is neither. Only verification finds out whether a step's hash is right.
coalesce({{t}}.chained = true, {{t}}.session_id IS NULL)
