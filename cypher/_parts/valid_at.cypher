// part: valid_at(n, moment)
// The entity or observation is valid at a moment: from valid_from, which is included, to valid_to, which is not.
{{n}}.valid_from <= {{moment}} AND {{n}}.valid_to > {{moment}}
