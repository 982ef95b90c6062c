// Waits until what was just made answers queries.
CYPHER 25
CALL db.awaitIndexes($seconds)
