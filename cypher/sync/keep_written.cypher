// Records how far this home has written to a place, and when.
:param namespace => 'default';
:param place => '/media/stick';
:param number => 1;
:param sha => 'hash';
:param until => '2026-01-01T00:00:00Z';
CYPHER 25
MATCH (p:SyncPlace {namespace: $namespace, place: $place})
SET p.number = $number, p.sha = $sha, p.until = datetime($until), p.synced_at = datetime.realtime()
