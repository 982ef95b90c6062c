// part: walked(r)
// A relationship of a type to walk that is true now. LegacyMind's own have no time of validity.
(type({{r}}) IN $types OR named AND NOT type({{r}}) IN $reserved_types) AND (type({{r}}) IN $reserved_types OR coalesce({{r}}.valid_from <= datetime() AND datetime() < {{r}}.valid_to, true))
