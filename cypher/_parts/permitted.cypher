// part: permitted(t, session = $own_session)
// The thought is public or belongs to the reader's session. A thought without is_private counts as private.
// Not an OR: on a small graph the planner would read an index once for each side, and sort what it found.
CASE {{t}}.is_private WHEN false THEN true ELSE {{t}}.session_id = {{session}} END
