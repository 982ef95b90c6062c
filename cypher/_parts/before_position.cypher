// part: before_position(t)
// Before the last thought of the page before, newest first.
[{{t}}.created_at.epochSeconds, {{t}}.created_at.nanosecond, {{t}}.id] < [$seconds, $nanoseconds, $id]
