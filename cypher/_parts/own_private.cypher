// part: own_private(t, session = $own_session)
// Inside SEARCH, which has no OR: the private thoughts of the reader's session.
{{t}}.session_id = {{session}} AND {{t}}.is_private = true
