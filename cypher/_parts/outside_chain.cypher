// part: outside_chain(t)
// The contrary of in_chain.
NOT coalesce({{t}}.chained = true, {{t}}.session_id IS NULL)
