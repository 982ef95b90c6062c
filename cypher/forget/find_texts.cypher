// Reads the thoughts, entities and facts of a namespace that may name something, streamed: those with a text that contains one
// of $words in lower case, or that are linked with one of the entities $linked. With $session_id, only the thoughts of that session.
// The caller compares the texts, because Cypher knows no words. own are the texts that go with the node, quoted those that other
// nodes have from it, by property, and fixed those that the hash of a thought covers. With $everything, no thought is private.
:param namespace => 'default';
:param own_session => '';
:param session_id => null;
:param words => ['ada'];
:param linked => ['entity-1'];
:param everything => false;
CYPHER 25
CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND ($session_id IS NULL OR n.session_id = $session_id)
    AND ($everything OR
      CASE n.is_private WHEN false THEN true ELSE n.session_id = $own_session END  // part: permitted(n)
    )
  RETURN n, 'thought' AS kind, EXISTS { (n)-[:MENTIONS]->(e:Entity) WHERE e.id IN $linked } AS linked,
    [n.content, n.hypothesis, n.title, n.error_signature, n.framework_analysis] AS own,
    n {.redacted_reason} AS quoted,
    [n.author, n.session_id, n.chain_id, n.context_id, n.action_id] + coalesce(n.tags, []) AS fixed
  UNION ALL
  MATCH (n:Entity)
  WHERE n.namespace = $namespace AND n.name_key >= '' AND n.type_key IS NOT NULL AND $session_id IS NULL
  WITH n, n.merged_at IS NULL AS whole  // a stub goes with the entity that it was merged into
  RETURN n, 'entity' AS kind, whole AND n.id IN $linked AS linked,
    CASE WHEN whole THEN [n.name, n.entity_type] + coalesce(n.aliases, []) ELSE [] END AS own,
    n {.description, .data, .merged_by, .merged_reason} AS quoted, [] AS fixed
  UNION ALL
  MATCH (n:Observation)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL AND $session_id IS NULL AND n.merged_at IS NULL
  RETURN n, 'observation' AS kind, EXISTS { (n)-[:ABOUT]->(e:Entity) WHERE e.id IN $linked } AS linked,
    [n.content, n.title, n.source] AS own, {} AS quoted, [] AS fixed
}
WITH n, kind, linked, [text IN own WHERE text IS NOT NULL | toString(text)] AS own, quoted, [text IN fixed WHERE text IS NOT NULL | toString(text)] AS fixed
WHERE linked
  OR any(text IN own + [name IN keys(quoted) WHERE quoted[name] IS NOT NULL | toString(quoted[name])] + fixed WHERE any(word IN $words WHERE toLower(text) CONTAINS word))
RETURN n.id AS id, kind, linked, own, quoted, fixed, CASE kind WHEN 'thought' THEN n.content IS NULL AND n.hypothesis IS NULL ELSE size(own) = 0 END AS redacted, n.redacts IS NOT NULL AS step, n.content_digest AS digest
