// Creates the actions of an export, and the places where its links wait for thoughts, unless they exist.
:param namespace => 'default';
:param rows => [{kind: 'action', id: 'deploy-8', properties: {created_at: datetime()}}];
CYPHER 25
UNWIND $rows AS row
FOREACH (_ IN CASE WHEN row.kind = 'action' THEN [1] ELSE [] END |
  MERGE (n:Action {namespace: $namespace, id: row.id}) ON CREATE SET n += row.properties)
FOREACH (_ IN CASE WHEN row.kind = 'pending' THEN [1] ELSE [] END |
  MERGE (n:Pending {namespace: $namespace, id: row.id}) ON CREATE SET n += row.properties)
RETURN count(row) AS stored
