// Gives this home its id, unless it has one, and reads how far it has written to a place and read from there. A place is known by its
// path; trusted, if the user said that nobody else writes there. What is private is written from the beginning when it is first asked for.
:param namespace => 'default';
:param place => '/media/stick';
:param trusted => false;
:param private => false;
:param new_replica => false;
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.replica = CASE WHEN $new_replica THEN randomUUID() ELSE coalesce(d.replica, randomUUID()) END
MERGE (p:SyncPlace {namespace: $namespace, place: $place})
MERGE (own:SyncSource {namespace: $namespace, place: $place, replica: d.replica})
SET own.until = CASE WHEN coalesce(p.private, false) OR NOT $private THEN own.until END,
  p.trusted = coalesce(p.trusted, false) OR $trusted, p.private = coalesce(p.private, false) OR $private
RETURN d.replica AS replica, p.trusted AS trusted, p.private AS private, coalesce(own.number, 0) AS number, coalesce(own.sha, '') AS sha, coalesce(own.next_sha, '') AS next_sha,
  coalesce(own.until, '0001-01-01T00:00:00Z') AS until,
  COLLECT { MATCH (s:SyncSource {namespace: $namespace, place: $place}) RETURN [s.replica, coalesce(s.number, 0), coalesce(s.sha, '')] } AS sources
