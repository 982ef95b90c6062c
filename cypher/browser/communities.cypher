// Communities: the entities of the largest communities and their relations. Run `legacymind analyze communities` first.
:param namespace => 'default';
:param communities => 3;
:param members => 20;
CYPHER 25
MATCH (e:Entity)
WHERE e.namespace = $namespace AND e.name_key >= '' AND e.type_key >= '' AND e.community IS NOT NULL
WITH e ORDER BY e.mass DESC, e.id
WITH e.community AS community, collect(e) AS found
WITH community, found ORDER BY size(found) DESC, community LIMIT $communities
WITH community, found[..$members] AS shown
UNWIND shown AS e
OPTIONAL MATCH link = (e)-[]->(other:Entity) WHERE other IN shown
RETURN e, link, community
