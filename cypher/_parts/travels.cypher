// part: travels(n)
// Whether a node may leave this home: it is in no private session, unless that is asked for.
($private OR NOT {{n}}:Thought
  OR NOT coalesce({{n}}.is_private <> false, true)  // part: private({{n}})
  AND NOT EXISTS { (s:Session {namespace: $namespace, id: {{n}}.session_id}) WHERE s.has_private })
