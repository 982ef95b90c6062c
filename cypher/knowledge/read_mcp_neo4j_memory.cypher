// Reads the graph of mcp-neo4j-memory as records of an import: entities, their observations, and relations. Its nodes
// have the label Memory and a list of observations. `place` names the node or relationship for messages.
CYPHER 25
CALL () {
  MATCH (m:Memory)
  RETURN 'entity' AS kind, 'Node ' + elementId(m) AS place,
    {name: m.name, entity_type: m.type, description: null} AS fields
  UNION ALL
  MATCH (m:Memory)
  UNWIND m.observations AS content
  RETURN 'observation' AS kind, 'Node ' + elementId(m) AS place,
    {entity: m.name, entity_type: m.type, content: content, valid_from: null, valid_to: null} AS fields
  UNION ALL
  MATCH (a:Memory)-[r]->(b:Memory)
  RETURN 'relation' AS kind, 'Relationship ' + elementId(r) AS place,
    {
      from: a.name, from_type: a.type, type: type(r), to: b.name, to_type: b.type, valid_from: null, valid_to: null
    } AS fields
}
RETURN kind, place, fields, [] AS data, null AS group
