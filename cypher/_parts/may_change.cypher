// part: may_change(x, n, trust = 3)
// Nothing less trusted changes, ends or hides what is more trusted: neither x, nor who linked it to n, with this trust.
(coalesce({{x}}.trust, 2) >= coalesce({{n}}.trust, 2) AND coalesce({{trust}}, 3) >= coalesce({{n}}.trust, 2))
