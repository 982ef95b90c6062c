// Writes the names of merged entities into the entities that were merged into before schema version 7.
CYPHER 25
MATCH (stub:Entity)-[:MERGED_INTO]->(kept:Entity)
WITH kept, collect(DISTINCT stub.name) AS names
SET kept.aliases = [name IN names WHERE name <> kept.name]
