// part: whole(t)
// No section of a long thought, for lists: they have the thought itself.
(NOT {{t}}.id CONTAINS '::')
