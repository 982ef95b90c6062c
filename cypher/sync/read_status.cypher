// Reads how far this home has written to the places of a namespace, how far it has read others there, and what waits. A line
// without a reason waits for what was removed, and nothing is lacking.
:param namespace => 'default';
CYPHER 25
OPTIONAL MATCH (d:LegacyMind {id: 'database'})
RETURN $namespace AS namespace, d.replica AS replica,
  COLLECT {
    MATCH (p:SyncPlace {namespace: $namespace})
    OPTIONAL MATCH (own:SyncSource {namespace: $namespace, place: p.place, replica: d.replica})
    RETURN p {.place, .trusted, .private, synced_at: own.read_at, written: coalesce(own.number, 0)} AS row ORDER BY p.place
  } AS places,
  COLLECT {
    MATCH (s:SyncSource {namespace: $namespace}) WHERE s.replica <> coalesce(d.replica, '')
    RETURN s {.place, .replica, .read_at, read: coalesce(s.number, 0), refused: coalesce(s.refused, [])} AS row ORDER BY s.place, s.replica
  } AS sources,
  COUNT { MATCH (w:Waiting {namespace: $namespace}) WHERE w.reason <> '' } AS waiting,
  COLLECT { MATCH (w:Waiting {namespace: $namespace}) WHERE w.reason <> '' RETURN DISTINCT w.reason AS reason ORDER BY reason LIMIT 10 } AS waiting_for
