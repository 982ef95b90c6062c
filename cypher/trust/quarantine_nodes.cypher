// Takes nodes out of every read in one step that release_nodes undoes. What is taken away is kept in quarantine_before. What the nodes
// changed is put back: facts that they ended are true again, problems that they solved are open, what they contradict is in
// force; the links become QUARANTINED. A plan ($step null) only counts. hashed are lines `id digest` for the chained step.
:param ids => ['thought-1'];
:param namespace => 'default';
:param step => null;
:param past => datetime('0001-01-01');
:param open => datetime('9999-12-31');
CYPHER 25
UNWIND $ids AS id
MATCH (n:Thought|Observation|Entity {id: id, namespace: $namespace})
WITH DISTINCT n ORDER BY n.id
FOREACH (_ IN CASE WHEN $step IS NULL THEN [] ELSE [1] END | SET n.lock = 0)
WITH n WHERE n.quarantined_by IS NULL AND n.redacts IS NULL
FOREACH (_ IN CASE WHEN $step IS NULL THEN [] ELSE [1] END |
  SET n.quarantined_by = $step,
    n.quarantine_before = [x IN [toString(n.hot), toString(n.standing), toString(n.pinned), toString(n.playbook), toString(n.found_until), n.ns_key, toString(n.valid_to)] | coalesce(x, '')],
    n.hot = CASE WHEN n:Thought THEN false END, n.found_until = $past, n.ns_key = 'quarantined',
    n.valid_to = CASE WHEN n:Thought THEN null ELSE n.valid_from END
  REMOVE n.standing, n.pinned, n.playbook
  // part: changed(n)
  SET n.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [n.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    n.noted_at = datetime.realtime(), n.replica = null
  // end of part
)
WITH collect(n) AS taken
// In: taken. Out: links, what they revised, solved or contradict.
CALL (taken) {
  UNWIND taken AS n
  MATCH (n)-[r:REVISES|SOLVES|CONTRADICTS]->(x)
  FOREACH (_ IN CASE WHEN $step IS NULL THEN [] ELSE [1] END |
    FOREACH (_ IN CASE WHEN r:REVISES AND x:Observation AND x.quarantined_by IS NULL THEN [1] ELSE [] END |
      SET x.valid_to = coalesce(r.before, $open)
      // part: changed(x)
      SET x.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [x.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
        x.noted_at = datetime.realtime(), x.replica = null
      // end of part
    )
    CREATE (n)-[q:QUARANTINED]->(x)
    SET q = properties(r), q.type = type(r), q.step = $step
    DELETE r)
  RETURN count(r) AS links
}
RETURN size(taken) AS taken, links,
  [n IN taken | n.id + ' ' + coalesce(n.content_hash, n.fact_key, n.name_key, '')] AS hashed
