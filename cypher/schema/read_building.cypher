// Reads which of our indexes are not online yet. The caller polls, since a call that waits would exceed the time
// limit of a statement: a large database's indexes take minutes.
:param names => ['thought_embedding_a'];
CYPHER 25
SHOW INDEXES YIELD name, state, populationPercent
WHERE state <> 'ONLINE' AND name IN $names
RETURN name, state, populationPercent AS percent
