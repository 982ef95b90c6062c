// Links similar thoughts by ASSOCIATES relationships marked with made_by, from the newer to the older. A pair that is linked
// in any other way is skipped: its own relationships say more. The thoughts are locked in one order, by id, before
// anything is created. created_at is the time of the analysis, by which drop_neighbours finds those of earlier ones.
:param namespace => 'default';
:param now => datetime();
:param rows => [['thought-2', 'thought-1', 0.8]];
CYPHER 25
// In: the parameters. Out: one row, after the locks.
CALL () {
  UNWIND $rows AS row
  UNWIND row[..2] AS id
  WITH DISTINCT id ORDER BY id
  MATCH (n:Thought {id: id})
  SET n.lock = 0
  RETURN count(n) AS locked
}
UNWIND $rows AS row
MATCH (a:Thought {id: row[0]}), (b:Thought {id: row[1]})
WHERE a.namespace = $namespace AND b.namespace = $namespace
  AND NOT EXISTS { MATCH (a)-[other]-(b) WHERE other.made_by IS NULL }
MERGE (a)-[r:ASSOCIATES {made_by: 'knn'}]->(b)
SET r.created_at = $now, r.weight = row[2]
RETURN count(r) AS stored
