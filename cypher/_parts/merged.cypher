// part: merged(n)
// The entities that were merged into an entity, with the record of each merge.
[({{n}})<-[:MERGED_INTO]-(merged:Entity) | merged {.id, .name, .entity_type, .description, .data, .merged_at, .merged_by, .merged_reason, .merged_observations, .merged_relations}]
