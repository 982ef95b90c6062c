// Reads the server's clock, to compare it with this machine's.
CYPHER 25
RETURN datetime.realtime() AS now
