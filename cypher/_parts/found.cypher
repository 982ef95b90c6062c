// part: found(t)
// Inside SEARCH, which has neither OR nor IS NULL: everybody's thoughts that have not expired. own_private finds the others.
{{t}}.is_private = false AND {{t}}.found_until > datetime()
