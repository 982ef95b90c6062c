// part: relation_of(r, other)
// A relation to another entity that the reader asked for: with $history any, else one that is valid at $as_of. Not
// other:Entity, with which a plan may read every entity of the database.
'Entity' IN labels({{other}}) AND {{other}}.namespace = $namespace AND {{other}}.merged_at IS NULL
AND ($history OR coalesce(
  {{r}}.valid_from <= $as_of AND {{r}}.valid_to > $as_of  // part: valid_at({{r}}, $as_of)
  , true))
