// part: thread_thoughts(t)
// The properties of a thought in a thread.
id: {{t}}.id, created_at: {{t}}.created_at, content: left(coalesce(toStringOrNull({{t}}.content), ''), $text_length), session_id: {{t}}.session_id,
chain_id: {{t}}.chain_id, previous_thought_id: {{t}}.previous_thought_id, revises_thought: {{t}}.revises_thought,
branch_from: {{t}}.branch_from, confidence: {{t}}.confidence,
outside_chain: NOT x,  // part: in_chain({{t}})
position: x,  // part: position({{t}})
