// part: aliases(n, gone = [])
// The names of the entities that were merged into one, but of those that are deleted; each home makes them for itself.
SET {{n}}.aliases = COLLECT { MATCH ({{n}})<-[:MERGED_INTO]-(stub:Entity) WHERE stub.name <> {{n}}.name AND NOT stub.id IN {{gone}} RETURN DISTINCT stub.name AS name ORDER BY name }
