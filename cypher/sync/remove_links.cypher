// Deletes relationships that were removed elsewhere, unless they were made again later or are trusted more than $most_trust.
:param namespace => 'default';
:param most_trust => 3;
:param rows => [{from: 'thought-2', type: 'SOLVES', to: 'thought-1', removed_at: datetime()}];
CYPHER 25
UNWIND $rows AS row
MATCH (a:Thought {id: row.from}) WHERE a.namespace = $namespace
MATCH (n:Thought|Entity|Observation {id: row.to}) WHERE n.namespace = $namespace
WITH row, a,
  coalesce([(n)-[:MERGED_INTO]->(kept) | kept][0], n)  // part: kept(n)
  AS b
MATCH (a)-[r]->(b)
WHERE type(r) = row.type AND coalesce(r.changed_at <= row.removed_at, true) AND coalesce(r.trust, a.trust, 2) <= $most_trust
DELETE r
RETURN count(*) AS removed
