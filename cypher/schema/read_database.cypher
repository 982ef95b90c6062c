// Reads the server's version and what LegacyMind stored about the database. No CYPHER 25 here: a server too old for
// it must still report its version.
CALL dbms.components() YIELD name, versions, edition
WITH versions, edition WHERE name = 'Neo4j Kernel'
OPTIONAL MATCH (d:LegacyMind {id: 'database'})
RETURN versions[0] AS version, edition, d {.*} AS database
