// part: fact_of(o)
// A fact that the reader asked for: with $history any, else one that is valid at $as_of.
{{o}}.namespace = $namespace
AND ($history OR
  {{o}}.valid_from <= $as_of AND {{o}}.valid_to > $as_of  // part: valid_at({{o}}, $as_of)
)
