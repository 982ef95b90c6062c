// Finds the other replicas of all places from which nothing was read for some days, the longest silent first.
:param days => 30;
CYPHER 25
OPTIONAL MATCH (d:LegacyMind {id: 'database'})
MATCH (s:SyncSource)
WHERE s.replica <> coalesce(d.replica, '') AND s.read_at <= datetime.realtime() - duration({days: $days})
RETURN s.namespace AS namespace, s.place AS place, s.replica AS replica, duration.inDays(s.read_at, datetime.realtime()).days AS days ORDER BY s.read_at
