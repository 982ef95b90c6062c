// part: thread_thoughts(t)
// The properties of a thought in a thread.
id: {{t}}.id, created_at: {{t}}.created_at, content: left(coalesce(toStringOrNull({{t}}.content), ''), $text_length), session_id: {{t}}.session_id,
chain_id: {{t}}.chain_id, previous_thought_id: {{t}}.previous_thought_id, revises_thought: {{t}}.revises_thought,
branch_from: {{t}}.branch_from, confidence: {{t}}.confidence,
outside_chain: x,  // part: in_chain({{t}}, <>)
position: [{{t}}.created_at.epochSeconds, {{t}}.created_at.nanosecond, CASE WHEN {{t}}.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger({{t}}.step_index), 9223372036854775807) ELSE -1 END, {{t}}.id],
