// Counts what namespaces have: thoughts with a text, except sections and the records of redactions; entities; facts; and the
// characters of their texts. Also the number of their tokens, which are few, so they have no index.
:param names => ['default'];
CYPHER 25
UNWIND $names AS name
// In: name. Out: thoughts, and the characters of their texts.
CALL (name) {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, recorded_at)
  WHERE t.namespace = name AND t.recorded_at IS NOT NULL
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND t.redacts IS NULL AND coalesce(t.thought_type, '') <> 'section'
  RETURN count(t) AS thoughts, sum(size(t.content)) AS thought_text
}
// In: name. Out: entities, and the characters of their texts.
CALL (name) {
  MATCH (e:Entity) USING INDEX SEEK e:Entity(namespace, name_key, type_key)
  WHERE e.namespace = name AND e.name_key IS NOT NULL AND e.type_key IS NOT NULL AND e.merged_at IS NULL
  RETURN count(e) AS entities, sum(size(toString(e.name)) + size(coalesce(toStringOrNull(e.description), ''))) AS entity_text
}
// In: name. Out: facts, and the characters of their texts.
CALL (name) {
  MATCH (o:Observation) USING INDEX SEEK o:Observation(namespace, entity_id, fact_key)
  WHERE o.namespace = name AND o.entity_id IS NOT NULL AND o.fact_key IS NOT NULL
  RETURN count(o) AS facts, sum(size(toString(o.content))) AS fact_text
}
RETURN name, thoughts, entities, facts, thought_text + entity_text + fact_text AS text,
  COUNT { MATCH (t:AccessToken) WHERE name IN t.namespaces } AS tokens
