// part: id_of(n)
// The id as a reader gets it. A node that somebody made by hand may have none, or one that is no text.
CASE WHEN {{n}}.id IS :: STRING NOT NULL THEN {{n}}.id ELSE 'no id, node ' + elementId({{n}}) END
