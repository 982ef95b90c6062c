// Reads the graph of Graphiti as records of an import. Its entities have the label Entity, as LegacyMind's own have, and
// are told apart by uuid and group_id. A relationship RELATES_TO is a relation with its name, and its fact is an
// observation of the entity where it starts; both end when it is invalid or expired. Episodes are thoughts, in order of
// time. Communities are derived and not read. `data` are the remaining properties as pairs of name and value. `place`
// names the node or relationship for messages. $group is a group, null for all.
:param group => null;
CYPHER 25
CALL () {
  MATCH (n:Entity)
  WHERE n.uuid IS NOT NULL AND n.group_id IS NOT NULL AND n.group_id = coalesce($group, n.group_id)
  RETURN 'entity' AS kind, 'Node ' + elementId(n) AS place, n.group_id AS group,
    {
      name: n.name, entity_type: [label IN labels(n) WHERE label <> 'Entity'][0],
      description: CASE WHEN n.summary <> '' THEN n.summary END
    } AS fields,
    [name IN keys(n) WHERE NOT name IN ['uuid', 'group_id', 'name', 'summary', 'labels', 'created_at']
      AND NOT name ENDS WITH 'embedding' | [name, n[name]]] AS data
  UNION ALL
  MATCH (e:Episodic)
  WHERE e.group_id = coalesce($group, e.group_id)
  WITH e ORDER BY coalesce(e.valid_at, e.created_at), e.uuid
  RETURN 'thought' AS kind, 'Node ' + elementId(e) AS place, e.group_id AS group,
    {
      id: e.uuid, content: e.content, created_at: coalesce(e.valid_at, e.created_at),
      author: null, chain_id: null, session_id: 'graphiti' + CASE e.group_id WHEN '' THEN '' ELSE '/' + e.group_id END
    } AS fields,
    [] AS data
  UNION ALL
  MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity)
  WHERE r.uuid IS NOT NULL AND r.group_id = coalesce($group, r.group_id)
  WITH r, a, b, [label IN labels(a) WHERE label <> 'Entity'][0] AS a_type,
    [label IN labels(b) WHERE label <> 'Entity'][0] AS b_type, coalesce(r.invalid_at, r.expired_at) AS valid_to
  UNWIND CASE WHEN r.fact <> '' THEN ['relation', 'observation'] ELSE ['relation'] END AS kind
  RETURN kind, 'Relationship ' + elementId(r) AS place, r.group_id AS group,
    CASE kind
      WHEN 'relation' THEN {
        from: a.name, from_type: a_type, type: r.name, to: b.name, to_type: b_type,
        valid_from: r.valid_at, valid_to: valid_to
      }
      ELSE {entity: a.name, entity_type: a_type, content: r.fact, valid_from: r.valid_at, valid_to: valid_to}
    END AS fields,
    [] AS data
}
RETURN kind, place, fields, data, group
