// part: walked(r)
// A relationship of a type to walk that is true at $as_of. LegacyMind's own have no time of validity.
(type({{r}}) IN $types OR named AND NOT type({{r}}) IN $reserved_types) AND (type({{r}}) IN $reserved_types OR coalesce({{r}}.valid_from <= $as_of AND $as_of < {{r}}.valid_to, true))
