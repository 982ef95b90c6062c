// part: existed(n, moment)
// A thought was thought by a moment. What has no usable time of that kind, as knowledge, counts as earlier.
coalesce({{n}}.created_at <= {{moment}}, true)
