// part: knowledge_features(n, cosine, text_score = null, named = false, entity = null)
// What ranking reads of an entity or observation, in the order of ranking.features.KnowledgeFeatures.
{{n}}.id, {{cosine}}, {{text_score}},
left(toStringOrNull(CASE WHEN {{n}}:Entity THEN {{n}}.name + coalesce(': ' + {{n}}.description, '') ELSE {{n}}.content END), 2000),
size(toStringOrNull(CASE WHEN {{n}}:Entity THEN {{n}}.name + coalesce(': ' + {{n}}.description, '') ELSE {{n}}.content END)),
CASE WHEN {{n}}:Entity THEN 'entity' ELSE 'observation' END, {{n}}.name, {{n}}.entity_type, {{n}}.fact_key, {{n}}.entity_id,
CASE WHEN {{n}}.recorded_at IS :: ZONED DATETIME THEN {{n}}.recorded_at.epochSeconds * 1000000 + {{n}}.recorded_at.microsecond END,
{{named}}, EXISTS { ({{n}})<-[:REVISES|CONTRADICTS]-() },
{{n}}.valid_from.epochSeconds * 1000000 + {{n}}.valid_from.microsecond, {{n}}.valid_to.epochSeconds * 1000000 + {{n}}.valid_to.microsecond,
{{n}}.standing, {{n}}.trust, {{n}}.origin, {{n}}.door, {{entity}}
