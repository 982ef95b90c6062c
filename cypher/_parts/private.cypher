// part: private(t)
// Whether the thought is private, for a copy of the flag: a thought without is_private counts as private.
coalesce({{t}}.is_private <> false, true)
