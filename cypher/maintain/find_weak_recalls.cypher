// Reads a page of old thoughts in order of their times, and counts the RECALLS that leave them and are weak
// and unused since $before: what prune_recalls.cypher would remove. The weight of today is what is left of the stored one
// after exponential decay since the last use; it is never stored. Only thoughts from before $before can have
// such relationships, so newer ones are not read. An index of weights would cost each thought as many entries as it has
// memories.
:param namespace => 'default';
:param before => datetime() - duration('P90D');
:param now => datetime();
:param least => 0.15;
:param decay => 0.01155;
:param after_time => '0001-01-01T00:00:00Z';
:param after_id => '';
:param page => 200;
:param samples => 10;
CYPHER 25
// part: old_thoughts()
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
WHERE t.namespace = $namespace AND t.created_at >= datetime($after_time) AND t.created_at < $before
  AND (t.created_at > datetime($after_time) OR t.id > $after_id)
WITH t ORDER BY t.namespace, t.created_at, t.id LIMIT $page
WITH collect(t) AS page
// end of part
// In: page. Out: weak, how many relationships; samples, the weakest.
CALL (page) {
  // part: weak_recalls(page)
  UNWIND page AS t
  MATCH (t)-[r:RECALLS]->(memory)
  WITH t, r, memory, CASE WHEN t.last_accessed > r.last_accessed THEN t.last_accessed ELSE r.last_accessed END AS accessed
  WHERE accessed < $before AND NOT coalesce(t.pinned = true, false)
  WITH t, r, memory, accessed, toFloatOrNull(r.weight) * exp(-$decay * duration.inSeconds(accessed, $now).seconds / 86400.0) AS weight
  WHERE weight < $least AND NOT coalesce(memory.pinned = true, false)
  // end of part
  // Ids and times are read of the samples only.
  WITH weight, accessed, r ORDER BY weight
  WITH collect([weight, accessed, r]) AS found
  RETURN [size(found), [one IN found[..$samples] |
    {thought_id: startNode(one[2]).id, memory_id: endNode(one[2]).id, weight: round(toFloat(one[2].weight), 4), decayed: round(one[0], 4), accessed: one[1]}]] AS weak
}
RETURN size(page) AS thoughts, toString(page[-1].created_at) AS last_time, page[-1].id AS last_id, weak
