// part: travels(n)
// Whether synchronisation writes a node: no other home there writes it, and it is in no private session, unless that is asked for.
NOT coalesce({{n}}.replica IN $present, false) AND ($private OR NOT {{n}}:Thought
  OR NOT coalesce({{n}}.is_private <> false, true)  // part: private({{n}})
  AND NOT EXISTS { (s:Session {namespace: $namespace, id: {{n}}.session_id}) WHERE s.has_private })
