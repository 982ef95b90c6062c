// part: hot(t)
// The thought may be recalled. A thought without the property may not: a vector index answers `= true` only.
{{t}}.hot = true
