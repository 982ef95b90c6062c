// Reads the newest facts that are standing preferences or instructions, and were true at a moment.
:param namespace => 'default';
:param now => datetime();
:param standing_limit => 200;
:param standing_shown => 21;
:param text_length => 600;
CYPHER 25
MATCH (o:Observation) USING INDEX SEEK o:Observation(namespace, standing, valid_from)
WHERE o.namespace = $namespace AND o.standing = true AND o.valid_from <= $now
WITH o ORDER BY o.namespace DESC, o.standing DESC, o.valid_from DESC, o.id LIMIT $standing_limit
WITH o
WHERE o.valid_from <= $now AND o.valid_to > $now  // part: valid_at(o, $now)
MATCH (o)-[:ABOUT]->(about:Entity)
WITH o, about LIMIT $standing_shown
RETURN collect({
  // part: knowledge_hit(o, about)
  id: o.id, kind: o.kind,
  text: left(coalesce(toStringOrNull(CASE WHEN o:Entity THEN o.name + coalesce(': ' + o.description, '') ELSE o.content END), ''), $text_length),
  created_at: toString(CASE WHEN o.recorded_at IS :: ZONED DATETIME THEN o.recorded_at END),  // part: time_text(o.recorded_at)
  entity: coalesce(o.name, about.name), entity_type: coalesce(o.entity_type, about.entity_type),
  valid_from: toString(CASE WHEN o.valid_from IS :: ZONED DATETIME THEN o.valid_from END),  // part: time_text(o.valid_from)
  valid_to: toString(CASE WHEN o.valid_to IS :: ZONED DATETIME THEN o.valid_to END),  // part: time_text(o.valid_to)
  standing: CASE WHEN o.standing = true THEN true END,
  // end of part
  revised_by: null, contradicted_by: null, score: null
}) AS hits
