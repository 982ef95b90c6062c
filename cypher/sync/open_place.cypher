// Gives this home its id, unless it has one, and reads how far it has written to a place and read from there. A place is known by its
// path; trusted, if the user said that nobody else writes there.
:param namespace => 'default';
:param place => '/media/stick';
:param trusted => false;
:param private => false;
:param new_replica => false;
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.replica = CASE WHEN $new_replica THEN randomUUID() ELSE coalesce(d.replica, randomUUID()) END
MERGE (p:SyncPlace {namespace: $namespace, place: $place})
SET p.trusted = coalesce(p.trusted, false) OR $trusted
WITH d, p, coalesce(p.private, false) <> $private AND $private OR coalesce(p.replica, '') <> d.replica AS anew
SET p.private = coalesce(p.private, false) OR $private, p.replica = d.replica,
  p.until = CASE WHEN anew THEN null ELSE p.until END,
  p.number = CASE WHEN $new_replica THEN null ELSE p.number END, p.sha = CASE WHEN $new_replica THEN null ELSE p.sha END
RETURN d.replica AS replica, p.trusted AS trusted, p.private AS private, coalesce(p.number, 0) AS number, coalesce(p.sha, '') AS sha, coalesce(p.next_sha, '') AS next_sha,
  coalesce(p.until, '0001-01-01T00:00:00Z') AS until,
  COLLECT { MATCH (s:SyncSource {namespace: $namespace, place: $place}) RETURN [s.replica, s.number, s.sha] } AS sources
