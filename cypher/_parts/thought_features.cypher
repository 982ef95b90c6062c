// part: thought_features(t, cosine, text_score = null)
// What ranking reads of a thought, in the order of ranking.features.ThoughtFeatures.
{{t}}.id, {{cosine}}, {{text_score}}, left(CASE WHEN {{t}}.content IS :: STRING THEN {{t}}.content END, 2000), size(CASE WHEN {{t}}.content IS :: STRING THEN {{t}}.content END),
{{t}}.author, {{t}}.session_id, {{t}}.step_index,
CASE WHEN {{t}}.created_at IS :: ZONED DATETIME THEN {{t}}.created_at.epochSeconds * 1000000 + {{t}}.created_at.microsecond END,
coalesce({{t}}.salience, {{t}}.significance), {{t}}.access_count, {{t}}.mass,
{{t}}.previous_thought_id, {{t}}.revises_thought, {{t}}.branch_from, {{t}}.parent_id, {{t}}.standing,
CASE WHEN EXISTS { ({{t}})-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN {{t}}.session_id IS NULL THEN 0 WHEN {{t}}.chain_hash IS NOT NULL AND {{t}}.step_index IS :: INTEGER NOT NULL AND {{t}}.step_index >= 0 THEN 1 ELSE -1 END,
EXISTS { ({{t}})<-[:REVISES|SOLVES|CONTRADICTS]-() }
