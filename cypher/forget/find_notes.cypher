// Reads the relationships of a namespace with a text that contains one of $words in lower case, streamed: notes of thoughts,
// and the type and the properties of relations between entities, with their names but $own. The caller compares the texts.
:param namespace => 'default';
:param own_session => '';
:param words => ['ada'];
:param own => ['id'];
CYPHER 25
CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND CASE n.is_private WHEN false THEN true ELSE n.session_id = $own_session END  // part: permitted(n)
  MATCH (n)-[r:ASSOCIATES|REFERENCES|DEPENDS_ON|REINFORCES|CONTRADICTS|SOLVES]->()
  WHERE r.note IS NOT NULL
  RETURN r, [r.note] AS texts
  UNION ALL
  MATCH (n:Entity)
  WHERE n.namespace = $namespace AND n.name_key >= '' AND n.type_key IS NOT NULL
  MATCH (n)-[r]->(:Entity)
  RETURN r, [replace(type(r), '_', ' ')] + [name IN keys(r) WHERE NOT name IN $own | name]
    + reduce(texts = [], name IN keys(r) | texts + CASE
      WHEN r[name] IS :: STRING NOT NULL THEN [r[name]]
      WHEN r[name] IS :: LIST<STRING> NOT NULL THEN r[name] ELSE [] END) AS texts
}
WITH r, [text IN texts | toString(text)] AS texts
WHERE any(text IN texts WHERE any(word IN $words WHERE toLower(text) CONTAINS word))
RETURN elementId(r) AS id, texts
