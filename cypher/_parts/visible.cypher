// part: visible(t, session = $own_session)
// The thought is public or belongs to the reader's session. A thought without is_private counts as private.
({{t}}.is_private = false OR {{t}}.session_id = {{session}})
