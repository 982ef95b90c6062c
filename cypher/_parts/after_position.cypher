// part: after_position(t)
// After the last thought of the page before. Numbers, since a Python datetime drops nanoseconds.
[{{t}}.created_at.epochSeconds, {{t}}.created_at.nanosecond, {{t}}.id] > [$seconds, $nanoseconds, $id]
