// Records the next segment of this home before it is written to a place, so that a run that ends knows it again.
:param namespace => 'default';
:param place => '/media/stick';
:param sha => 'hash';
CYPHER 25
MATCH (p:SyncPlace {namespace: $namespace, place: $place})
SET p.next_sha = $sha
