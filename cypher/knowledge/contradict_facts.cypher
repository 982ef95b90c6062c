// Links later facts to earlier ones of the same entity that they contradict, so that every read says so. The earlier ones
// stay true until a fact supersedes them.
:param namespace => 'default';
:param recorded_at => datetime();
:param pairs => [{later: 'observation-2', earlier: 'observation-1'}];
CYPHER 25
UNWIND $pairs AS pair
MATCH (later:Observation {id: pair.later}) WHERE later.namespace = $namespace
MATCH (earlier:Observation {id: pair.earlier}) WHERE earlier.namespace = $namespace
MERGE (later)-[contradicts:CONTRADICTS]->(earlier)
ON CREATE SET contradicts.created_at = $recorded_at
RETURN count(*) AS linked
