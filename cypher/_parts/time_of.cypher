// part: time_of(n)
// When a thought was thought, or knowledge recorded. Null for what is no time with a zone; see zoned.
CASE WHEN coalesce({{n}}.created_at, {{n}}.recorded_at) IS :: ZONED DATETIME THEN coalesce({{n}}.created_at, {{n}}.recorded_at) END
