// Records how far a replica's segments of a place were read, and what the synchronisation that read them refused so far.
:param namespace => 'default';
:param place => '/media/stick';
:param replica => 'replica';
:param number => 1;
:param sha => 'hash';
:param refused => ['thought-1: its hashes do not fit'];
CYPHER 25
MERGE (s:SyncSource {namespace: $namespace, place: $place, replica: $replica})
SET s.number = $number, s.sha = $sha, s.read_at = datetime.realtime(), s.refused = $refused
