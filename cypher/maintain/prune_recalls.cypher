// Reads a page of old thoughts in order of their times, counts the RECALLS that leave them and are weak and unused since
// $before, and with $apply removes them. The weight of today is what is left of the stored one after exponential decay
// since the last use; it is never stored. Only thoughts from before $before can have such relationships, so newer ones are
// not read. An index of weights would cost each thought as many entries as it has memories.
// Both ends are locked by id before a removal, as think locks what it recalls: any other order deadlocks. No hash covers
// RECALLS, and injected_memories and injected_scores keep the id and score of each memory, in the order of ranks.
:param namespace => 'default';
:param before => datetime() - duration('P90D');
:param now => datetime();
:param least => 0.15;
:param decay => 0.01155;
:param after_time => '0001-01-01T00:00:00Z';
:param after_id => '';
:param page => 200;
:param samples => 10;
:param apply => false;
CYPHER 25
// part: old_thoughts()
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
WHERE t.namespace = $namespace AND t.created_at >= datetime($after_time) AND t.created_at < $before
  AND (t.created_at > datetime($after_time) OR t.id > $after_id)
WITH t ORDER BY t.namespace, t.created_at, t.id LIMIT $page
WITH collect(t) AS page
// end of part
// In: page. Out: weak, how many relationships, and the weakest.
CALL (page) {
  UNWIND page AS t
  MATCH (t)-[r:RECALLS]->(memory)
  WITH t, r, memory, CASE WHEN t.last_accessed > r.last_accessed THEN t.last_accessed ELSE r.last_accessed END AS accessed
  WHERE accessed < $before AND NOT coalesce(t.pinned = true, false)
  WITH t, r, memory, accessed, toFloatOrNull(r.weight) * exp(-$decay * duration.inSeconds(accessed, $now).seconds / 86400.0) AS weight
  WHERE weight < $least AND NOT coalesce(memory.pinned = true, false)
  WITH t, r, memory, accessed, weight ORDER BY weight
  WITH collect({weight: weight, accessed: accessed, recall: r, ends: [t, memory]}) AS found
  // Ids and times are read of the samples only.
  WITH found, [one IN found[..$samples] |
    {thought_id: one.ends[0].id, memory_id: one.ends[1].id, weight: round(toFloat(one.recall.weight), 4), decayed: round(one.weight, 4), accessed: one.accessed}] AS samples,
    CASE WHEN $apply THEN found ELSE [] END AS removed
  // In: removed. Out: locked, the number of ends.
  CALL (removed) {
    UNWIND removed AS one
    UNWIND one.ends AS n
    WITH DISTINCT n ORDER BY n.id
    SET n.lock = 0
    RETURN count(n) AS locked
  }
  // The time tells a memory without a relationship from a fallback, which never had one.
  FOREACH (one IN removed | FOREACH (t IN one.ends[..1] | SET t.pruned_at = $now) FOREACH (r IN [one.recall] | DELETE r))
  RETURN [size(found), samples] AS weak
}
RETURN size(page) AS thoughts, toString(page[-1].created_at) AS last_time, page[-1].id AS last_id, weak
