// part: is_open(t, moment)
// The thought is a problem, a task or a question, nothing that the reader may see had solved or revised it at a moment, if one
// is given, and its latest outcome is no success.
({{t}}.mode = 'stuck' OR {{t}}.thought_type = 'todo' OR {{t}}.thought_type = 'question' AND right(rtrim({{t}}.content), 1) IN ['?', '？', '؟'])
AND NOT coalesce({{t}}.outcome_score > 0, false)
AND NOT EXISTS {
  ({{t}})<-[link:SOLVES|REVISES]-(x:Thought)
  WHERE
    // part: may_mark(x, {{t}}, {{moment}})
    // end of part
    AND true  // part: may_change(link, {{t}}, 3)
}
