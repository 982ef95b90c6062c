// part: to_position(t)
// A bound of an index in time: the position and what is earlier. Narrower: before_position.
{{t}}.created_at <= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})
