// Records how far the segments of a home at a place were read, and what the synchronisation that read them refused so far; of this home, how
// far it has written there; or, before it is written, the next segment, so that a run that ends knows it again.
:param namespace => 'default';
:param place => '/media/stick';
:param replica => 'replica';
:param kept => ({number: 1, sha: 'hash', until: '2026-01-01T00:00:00Z'});
CYPHER 25
MERGE (s:SyncSource {namespace: $namespace, place: $place, replica: $replica})
SET s += $kept, s.read_at = datetime.realtime()
