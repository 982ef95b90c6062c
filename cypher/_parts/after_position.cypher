// part: after_position(t)
// After the last thought of the page before. Numbers, since a Python datetime drops nanoseconds. Thoughts of one instant
// are in the order of their steps, since imported chats often have whole seconds. A step that is no number, which only
// tampering leaves, has the place that ORDER BY gives it: texts before numbers, null after them.
// What has no time with a zone has no place.
CASE WHEN {{t}}.created_at IS :: ZONED DATETIME NOT NULL THEN [{{t}}.created_at.epochSeconds, {{t}}.created_at.nanosecond, CASE WHEN {{t}}.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger({{t}}.step_index), 9223372036854775807) ELSE -1 END, {{t}}.id] END > [$seconds, $nanoseconds, $step, $id]
