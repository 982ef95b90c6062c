// part: visible_node(n, session = $own_session)
// As visible, for a node of any label: entities and observations are never private. The label is tested last, so
// that it costs nothing for a public thought.
({{n}}.is_private = false OR {{n}}.session_id = {{session}} OR NOT {{n}}:Thought) AND coalesce({{n}}.found_until > datetime(), true)
