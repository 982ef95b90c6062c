// part: contradicted_by(n, moment, session = $own_session)
// The id of the thought or valid knowledge that contradicts the node most strongly, or null.
contradicted_by: reduce(strongest = [-2.0, null], c IN [({{n}})<-[link:CONTRADICTS]-(x)
  WHERE x.namespace = {{n}}.namespace
    AND CASE WHEN x:Thought
      THEN
        x.content IS NOT NULL  // part: not_redacted(x)
        AND (x.is_private = false OR x.session_id = {{session}})  // part: visible(x, {{session}})
      ELSE
        x.valid_from <= {{moment}} AND x.valid_to > {{moment}}  // part: valid_at(x, {{moment}})
      END | [coalesce(link.similarity, 1.0), x.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
