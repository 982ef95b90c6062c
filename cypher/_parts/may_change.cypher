// part: may_change(x, n, unknown = 2)
// Nothing less trusted changes, ends or hides what is more trusted: neither x nor, where it says whose it is, its link to n.
coalesce({{x}}.trust, {{unknown}}) >= coalesce({{n}}.trust, 2)
