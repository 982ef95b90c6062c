// part: may_mark(x, n, moment)
// A thought or fact that the reader may see and that existed by a moment, if one is given: it can revise, solve or contradict
// another, n, if it has a text, is a step of its chain as a thought, and is not less trusted.
{{x}}.namespace = $namespace
AND coalesce(coalesce({{x}}.created_at, {{x}}.recorded_at) <= {{moment}}, true)
AND true  // part: not_redacted({{x}})
AND true  // part: visible_node({{x}})
AND true  // part: in_chain({{x}})
AND true  // part: may_change({{x}}, {{n}})
