// Records how far this home has written to a place, and when; or, before it is written, the next segment, so that a run that ends knows it again.
:param namespace => 'default';
:param place => '/media/stick';
:param kept => ({number: 1, sha: 'hash', until: '2026-01-01T00:00:00Z'});
CYPHER 25
MATCH (p:SyncPlace {namespace: $namespace, place: $place})
SET p += $kept, p.synced_at = datetime.realtime()
