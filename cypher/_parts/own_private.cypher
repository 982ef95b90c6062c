// part: own_private(t, session = $own_session)
// Inside SEARCH, as found: the private thoughts of the reader's session.
{{t}}.session_id = {{session}} AND {{t}}.is_private = true AND {{t}}.found_until > datetime()
