// part: thought_features(t, p, cosine, text_score = null)
// What ranking reads of a thought with the properties p, in the order of ranking.features.ThoughtFeatures.
{{p}}.id, {{cosine}}, {{text_score}}, left(CASE WHEN {{p}}.content IS :: STRING THEN {{p}}.content END, 2000), size(CASE WHEN {{p}}.content IS :: STRING THEN {{p}}.content END),
{{p}}.author, {{p}}.session_id, {{p}}.step_index,
CASE WHEN {{p}}.created_at IS :: ZONED DATETIME THEN {{p}}.created_at.epochSeconds * 1000000 + {{p}}.created_at.microsecond END,
coalesce({{p}}.salience, {{p}}.significance), {{p}}.access_count,
{{p}}.previous_thought_id, {{p}}.revises_thought, {{p}}.branch_from, {{p}}.parent_id, {{p}}.standing,
x,  // part: in_chain({{p}})
EXISTS { ({{t}})<-[:REVISES|SOLVES|CONTRADICTS]-() },
{{p}}.mode, {{p}}.thought_type, {{p}}.chain_id, {{p}}.confidence, {{p}}.trust, {{p}}.origin, {{p}}.door
