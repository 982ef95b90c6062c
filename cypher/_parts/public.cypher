// part: public(t)
// Inside SEARCH, which has no OR: everybody's thoughts. own_private finds the others.
{{t}}.is_private = false
