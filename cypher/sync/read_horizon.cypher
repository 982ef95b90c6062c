// Reads the time before which everything is committed: the start of the oldest transaction that runs, at the latest now.
CYPHER 25
SHOW TRANSACTIONS YIELD startTime
RETURN toString(min(datetime(startTime))) AS until
