// part: thought_hit(t)
// The properties of a thought in the results of a search.
.id, kind: 'thought', text: left(coalesce(toStringOrNull({{t}}.content), ''), $text_length),
.author, .mode, .thought_type, .origin, .session_id, .chain_id, .confidence,
created_at: {{t}}.created_at,  // part: time_text({{t}}.created_at)
standing: CASE WHEN {{t}}.standing = true THEN true END,
step_index: x,  // part: step({{t}})
outside_chain: NOT x,  // part: in_chain({{t}})
