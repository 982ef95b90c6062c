// Marks the database as set up or brought up to date, after every constraint and index exists.
:param version => 1;
CYPHER 25
MERGE (d:LegacyMind {id: 'database'})
ON CREATE SET d.active_slot = 'embedding_a', d.created_at = datetime()
SET d.schema_version = CASE WHEN coalesce(d.schema_version, 0) < $version THEN $version ELSE d.schema_version END
RETURN d.schema_version AS version
