// Undoes a quarantine: every node and link of the step, whose lines are `id digest`, is as it was.
:param step => 'thought-1';
:param namespace => 'default';
CYPHER 25
MATCH (s:Thought {id: $step, namespace: $namespace})
UNWIND split(s.content, '\n') AS line
WITH line WHERE line CONTAINS ' '
WITH DISTINCT left(line, size(line) - size(split(line, ' ')[-1]) - 1) AS id
MATCH (n:Thought|Observation|Entity {id: id, namespace: $namespace})
WHERE n.quarantined_by = $step
WITH n ORDER BY n.id
SET n.lock = 0
WITH n, [x IN n.quarantine_before | nullIf(x, '')] AS b
SET n.hot = CASE WHEN n:Thought THEN b[0] = 'true' END,
  n.standing = CASE WHEN b[1] = 'true' THEN true END, n.pinned = CASE WHEN b[2] IS NOT NULL THEN b[2] = 'true' END,
  n.playbook = CASE WHEN b[3] = 'true' THEN true END, n.found_until = CASE WHEN b[4] IS NOT NULL THEN datetime(b[4]) END,
  n.ns_key = b[5], n.valid_to = CASE WHEN b[6] IS NOT NULL THEN datetime(b[6]) END
REMOVE n.quarantined_by, n.quarantine_before
// part: changed(n)
SET n.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [n.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
  n.noted_at = datetime.realtime(), n.replica = null
// end of part
WITH collect(n) AS freed
CALL (freed) {
  UNWIND freed AS n
  MATCH (n)-[q:QUARANTINED {step: $step}]->(x)
  WITH n, q, x, q.type AS type, properties(q) AS before
  FOREACH (_ IN CASE WHEN type = 'REVISES' AND x:Observation AND x.quarantined_by IS NULL THEN [1] ELSE [] END |
    SET x.valid_to = n.valid_from
    // part: changed(x)
    SET x.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [x.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
      x.noted_at = datetime.realtime(), x.replica = null
    // end of part
  )
  CREATE (n)-[r:$(type)]->(x)
  SET r = before
  REMOVE r.type, r.step
  DELETE q
  RETURN count(r) AS links
}
RETURN size(freed) AS freed, links
