// part: text(n)
// The text of a node of any label, cut. Null for a redacted thought.
left(CASE WHEN {{n}}:Entity THEN toStringOrNull({{n}}.name + coalesce(': ' + {{n}}.description, '')) ELSE toStringOrNull({{n}}.content) END, $text_length)
