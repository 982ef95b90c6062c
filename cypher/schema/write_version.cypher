// Marks the database as set up, once, after every constraint and index is there.
CYPHER 25
MERGE (d:LegacyMind {id: 'database'})
ON CREATE SET d.schema_version = $version, d.active_slot = 'embedding_a', d.created_at = datetime()
RETURN d.schema_version AS version
