// Takes thoughts out of recall: `hot` becomes false. They stay in the graph, in their chains and in every search. A thought
// that was pinned or recalled since it was judged is left alone. With $summary, a stored thought, each is a source of it:
// the summary refers to it, and is recalled. Locks by id, as think does.
:param namespace => 'default';
:param now => datetime();
:param reason => 'dumped';
:param summary => '';
:param rows => [{id: 'thought-1', accesses: 0}];
CYPHER 25
OPTIONAL MATCH (summary:Thought {id: $summary, namespace: $namespace})
CALL (summary) {
  UNWIND $rows AS row
  WITH summary, row ORDER BY row.id
  MATCH (t:Thought {id: row.id})
  WHERE t.namespace = $namespace
  SET t.lock = 0
  WITH summary, row, t
  WHERE t.hot = true  // part: hot(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND NOT coalesce(t.pinned = true, false) AND coalesce(toIntegerOrNull(t.access_count), 0) = row.accesses
  SET t.hot = false, t.curated = $reason, t.curated_at = $now
  // part: changed(t)
  SET t.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [t.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    t.noted_at = datetime.realtime(), t.replica = null
  // end of part
  FOREACH (s IN CASE WHEN summary IS NULL THEN [] ELSE [summary] END |
    SET s += {hot: true}
    MERGE (s)-[refers:REFERENCES {made_by: 'curator'}]->(t)
    ON CREATE SET refers.weight = 1.0, refers.created_at = $now)
  RETURN count(t) AS cooled
}
RETURN cooled
