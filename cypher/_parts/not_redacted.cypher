// part: not_redacted(t)
// Redaction removes the content, and a stored thought always has one.
{{t}}.content IS NOT NULL
