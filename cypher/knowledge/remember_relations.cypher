// Relations in bulk: real relationship types, idempotent while one is open. The type was checked against an
// identifier pattern and our own types before it came here.
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row.source_id}) WHERE a.namespace = $namespace
MATCH (b:Entity {id: row.target_id}) WHERE b.namespace = $namespace
MERGE (a)-[r:$(row.type) {valid_to: row.valid_to}]->(b)
ON CREATE SET r.id = row.id, r.recorded_at = $recorded_at, r.valid_from = row.valid_from
SET r += row.given
RETURN row.index AS index, r.id AS id, r.id = row.id AS created
