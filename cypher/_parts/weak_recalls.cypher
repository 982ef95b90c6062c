// part: weak_recalls(page)
// In: the thoughts of a page. Out: t, r, memory, weight (of today) and accessed, for each weak relationship that nobody
// used since $before. A relationship is used when it is created and when its thought is recalled. Pinned ends keep theirs.
UNWIND {{page}} AS t
MATCH (t)-[r:RECALLS]->(memory)
WITH t, r, memory, CASE WHEN t.last_accessed > r.last_accessed THEN t.last_accessed ELSE r.last_accessed END AS accessed
WHERE accessed < $before AND NOT coalesce(t.pinned = true, false)
WITH t, r, memory, accessed, toFloatOrNull(r.weight) * exp(-$decay * duration.inSeconds(accessed, $now).seconds / 86400.0) AS weight
WHERE weight < $least AND NOT coalesce(memory.pinned = true, false)
