// Removes a projection from the server's memory, and those that killed processes left: all of LegacyMind's own that are
// more than an hour old. Names are unique, so a leftover never blocks another run.
:param graph => 'legacymind-sample';
CYPHER 25
CALL gds.graph.list() YIELD graphName, creationTime
WITH graphName
WHERE graphName = $graph OR graphName STARTS WITH 'legacymind-' AND creationTime < datetime() - duration('PT1H')
CALL gds.graph.drop(graphName, false) YIELD graphName AS name
RETURN count(name) AS dropped
