// part: before_position(t)
// Before the last thought of the page before, newest first.
CASE WHEN {{t}}.created_at IS :: ZONED DATETIME NOT NULL THEN [{{t}}.created_at.epochSeconds, {{t}}.created_at.nanosecond, CASE WHEN {{t}}.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger({{t}}.step_index), 9223372036854775807) ELSE -1 END, {{t}}.id] END < [$seconds, $nanoseconds, $step, $id]
