// Finds the replicas of all places from which nothing was read for some days, the longest silent first.
:param days => 30;
CYPHER 25
MATCH (s:SyncSource)
WHERE s.read_at <= datetime.realtime() - duration({days: $days})
RETURN s.namespace AS namespace, s.place AS place, s.replica AS replica, duration.inDays(s.read_at, datetime.realtime()).days AS days ORDER BY s.read_at
