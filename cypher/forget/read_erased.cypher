// Reads what goes with $ids, thoughts, facts and entities that may be erased, and with the session $session_id: the curator's summaries of a
// thought, its sections and theirs, the facts of an entity, and the entities that were merged into it. $own_session may erase its
// private thoughts; null may erase those of all sessions. A relation is a relationship to another entity.
:param ids => ['thought-1'];
:param session_id => null;
:param namespace => 'default';
:param own_session => '';
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (n:Thought {id: id}) WHERE n.namespace = $namespace
    AND ($own_session IS NULL OR
      CASE n.is_private WHEN false THEN true ELSE n.session_id = $own_session END  // part: permitted(n)
    )
  RETURN n
  UNION
  UNWIND $ids AS id
  MATCH (n:Entity|Observation {id: id}) WHERE n.namespace = $namespace
  RETURN n
  UNION
  MATCH (n:Thought) USING INDEX n:Thought(namespace, session_id)
  WHERE n.namespace = $namespace AND n.session_id = $session_id AND n.redacts IS NULL
  RETURN n
}
CALL (n) {
  RETURN n AS whole
  UNION
  MATCH (n) (()<-[r:REFERENCES]-() WHERE r.made_by = 'curator')+ (summary:Thought) WHERE summary.namespace = $namespace
  RETURN summary AS whole
  UNION
  MATCH (n)<-[:ABOUT]-(fact:Observation) WHERE fact.namespace = $namespace
  RETURN fact AS whole
  UNION
  MATCH (n)<-[:MERGED_INTO]-(merged:Entity)
  RETURN merged AS whole
}
CALL (whole) {
  RETURN whole AS node
  UNION
  MATCH (section:Thought) WHERE section.id STARTS WITH whole.id + '::' AND section.namespace = $namespace
  RETURN section AS node
}
WITH DISTINCT node
RETURN node.id AS id,
  CASE WHEN node.merged_at IS NOT NULL THEN 'alias' ELSE
    toLower([label IN labels(node) WHERE label IN ['Thought', 'Entity', 'Observation']][0])  // part: kind(node)
  END AS kind,
  node.session_id AS session_id,
  coalesce(node.is_private <> false, true)  // part: private(node)
  AS is_private,
  coalesce(node.content, node.hypothesis, node.name) AS text,
  node.content_digest AS digest,
  node.content IS NOT NULL OR node.salt IS NOT NULL OR node.hypothesis IS NOT NULL OR node.name IS NOT NULL AS fresh,
  node.redacted_at AS redacted_at,
  EXISTS { (node)-[r:REFERENCES]->(:Thought) WHERE r.made_by = 'curator' } AS summarises,
  COUNT { MATCH (node:Entity)-[r]-(other) WHERE node.merged_at IS NULL AND 'Entity' IN labels(other) AND other.merged_at IS NULL RETURN DISTINCT r } AS relations
ORDER BY id
