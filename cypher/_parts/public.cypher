// part: public(t)
// Everybody may read the thought.
{{t}}.is_private = false AND coalesce({{t}}.found_until > datetime(), true)
