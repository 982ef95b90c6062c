// Gives the sessions that an import has created or continued the properties of the export, its head included, even if it is
// wrong: a broken chain stays as broken as it was. A session without properties had no node. Other sessions stay as they are.
// mapped: the head that the import has hashed again stays. Sessions without properties are not counted.
:param namespace => 'default';
:param mapped => false;
:param rows => [{id: 'try', created_at: datetime(), mapped_from: null, properties: {id: 'try', namespace: 'default', created_at: datetime()}}];
CYPHER 25
UNWIND $rows AS row
MERGE (s:Session {namespace: $namespace, id: row.id}) ON CREATE SET s.importing = true
WITH s, row WHERE s.importing
FOREACH (_ IN CASE WHEN row.properties IS NOT NULL AND NOT $mapped THEN [1] ELSE [] END | SET s = row.properties)
FOREACH (_ IN CASE WHEN row.properties IS NOT NULL AND $mapped THEN [1] ELSE [] END |
  SET s.created_at = row.created_at, s.mapped_from = row.mapped_from REMOVE s.importing)
FOREACH (_ IN CASE WHEN row.properties IS NULL THEN [1] ELSE [] END | DETACH DELETE s)
RETURN count(row.properties) AS stored
