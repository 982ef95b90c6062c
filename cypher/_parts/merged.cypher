// part: merged(n)
// The entities that were merged into an entity, with the record of each merge.
[({{n}})<-[:MERGED_INTO]-(merged:Entity) | merged {.id, .name, entity_type: coalesce(merged.entity_type, ''), .description, .data, .merged_at, .merged_by, reason: merged.merged_reason, observations: merged.merged_observations, relations: merged.merged_relations}]
