// part: visible(t, session = $own_session)
// As permitted, and the thought has not expired, nor is it in quarantine. Forgetting, redaction and verification use permitted or neither.
CASE {{t}}.is_private WHEN false THEN true ELSE {{t}}.session_id = {{session}} END AND coalesce({{t}}.found_until > datetime(), true)
