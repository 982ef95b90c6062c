// part: knowledge_hit(n, entity)
// The properties of an entity or observation in the results of a search.
id: {{n}}.id, kind: {{n}}.kind,
text: left(coalesce(toStringOrNull(CASE WHEN {{n}}:Entity THEN {{n}}.name + coalesce(': ' + {{n}}.description, '') ELSE {{n}}.content END), ''), $text_length),
created_at: {{n}}.recorded_at,  // part: time_text({{n}}.recorded_at)
entity: coalesce({{n}}.name, {{entity}}.name), entity_type: coalesce({{n}}.entity_type, {{entity}}.entity_type),
valid_from: {{n}}.valid_from,  // part: time_text({{n}}.valid_from)
valid_to: {{n}}.valid_to,  // part: time_text({{n}}.valid_to)
standing: CASE WHEN {{n}}.standing = true THEN true END,
