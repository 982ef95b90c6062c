// part: is_about(t)
// A thought mentions one of the entities that the search is about. $request.about has a list of their ids, or nothing.
all(ids IN $request.about WHERE EXISTS { ({{t}})-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })
