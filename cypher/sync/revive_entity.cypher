// Undoes the merge of an entity, before the one that it was merged into is merged into it.
:param namespace => 'default';
:param id => 'entity-1';
CYPHER 25
MATCH (e:Entity {id: $id})-[merged:MERGED_INTO]->(kept) WHERE e.namespace = $namespace
SET e.kind = 'entity', e.ns_key = kept.ns_key, e.other_forms = kept.other_forms, e.valid_to = kept.valid_to, e.embedding_deferred = true
REMOVE e.merged_at, e.merged_by, e.merged_reason, e.merged_observations, e.merged_relations
DELETE merged
RETURN e.id AS id
