// part: from_position(t)
// A bound of an index in time: the position and what is later. Narrower: after_position.
{{t}}.created_at >= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})
