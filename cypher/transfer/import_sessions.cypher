// Gives the sessions that an import has created or continued the properties of the export, its head included, even if it is
// wrong: a broken chain stays as broken as it was. A session without properties had no node, and is not counted. Other
// sessions stay as they are.
:param namespace => 'default';
:param rows => [{id: 'try', properties: {id: 'try', namespace: 'default', created_at: datetime()}}];
CYPHER 25
UNWIND $rows AS row
MERGE (s:Session {namespace: $namespace, id: row.id}) ON CREATE SET s.importing = true
WITH s, row WHERE s.importing
FOREACH (_ IN CASE WHEN row.properties IS NOT NULL THEN [1] ELSE [] END | SET s = row.properties)
FOREACH (_ IN CASE WHEN row.properties IS NULL THEN [1] ELSE [] END | DETACH DELETE s)
RETURN count(row.properties) AS stored
