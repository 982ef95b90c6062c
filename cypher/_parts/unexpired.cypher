// part: unexpired(t)
// Nobody reads a thought after it has expired, not even its own session. As visible, without regard to privacy.
coalesce({{t}}.expires_at > datetime(), true)
