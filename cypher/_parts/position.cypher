// part: position(t)
// The place of a thought in time, for a cursor; see after_position.
[{{t}}.created_at.epochSeconds, {{t}}.created_at.nanosecond, CASE WHEN {{t}}.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger({{t}}.step_index), 9223372036854775807) ELSE -1 END, {{t}}.id]
