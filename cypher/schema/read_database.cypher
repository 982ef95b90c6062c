// Which server this is and what LegacyMind left in it. No CYPHER 25 here: a server too old for it must be
// able to say so.
CALL dbms.components() YIELD name, versions, edition
WITH versions, edition WHERE name = 'Neo4j Kernel'
OPTIONAL MATCH (d:LegacyMind {id: 'database'})
RETURN versions[0] AS version, edition, d {.*} AS database
