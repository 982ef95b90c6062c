// part: label_terms(n)
// How many terms of its community's label a node has.
size([term IN split(toStringOrNull({{n}}.community_label), ', ')
  WHERE toLower(coalesce(toStringOrNull({{n}}.content), toStringOrNull({{n}}.name))) CONTAINS toLower(term)]) AS label_terms
