// The version of Graph Data Science; an error if the server does not have it.
CYPHER 25
RETURN gds.version() AS version
