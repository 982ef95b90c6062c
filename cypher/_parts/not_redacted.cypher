// part: not_redacted(t)
// Redaction removes the content, and a stored thought always has one. A content that is no text, which only tampering
// leaves, is not read either.
{{t}}.content IS :: STRING NOT NULL
