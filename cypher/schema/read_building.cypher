// Those of our indexes that do not answer yet. They are asked for again and again, since one call that waits for them would
// be ended by the time limit of a statement: a large database's take minutes.
CYPHER 25
SHOW INDEXES YIELD name, state, populationPercent
WHERE state <> 'ONLINE' AND name IN $names
RETURN name, state, populationPercent AS percent
