// Creates relationships of a segment, or gives those that are here the properties of the newer change, or of the better rank. Rows whose ends are not here
// are not among those returned. An entity that was merged means the one that it was merged into, and
// has no relations with it. What was removed later, or is as old as a removal of an end, stays away, what is
// trusted more than $most_trust stays as it is, and an entity is merged by its merge (knowledge/merge_entities), before its MERGED_INTO.
// The node that a relationship begins at is noted, so that it travels on. A redacted thought has no notes. A new RECALLS is a use, as in think/store_thoughts.
:param namespace => 'default';
:param most_trust => 3;
:param rows => [{number: 0, from: 'thought-2', type: 'SOLVES', to: 'thought-1', own: '', properties: {changed_at: datetime()}}];
CYPHER 25
UNWIND $rows AS row
// In: row, one after another, since one may be what another made. Out: number, if its ends are here.
CALL (row) {
  MATCH (a:Thought|Entity|Observation {id: row.from})
  MATCH (b:Thought|Entity|Observation {id: row.to})
  WITH row, a, b WHERE row.type <> 'MERGED_INTO' OR a.merged_at IS NOT NULL OR EXISTS { (b)-[:MERGED_INTO]->(a) }
  WITH row,
    coalesce([(a)-[:MERGED_INTO]->(kept) | kept][0], a)  // part: kept(a)
    AS a,
    coalesce([(b)-[:MERGED_INTO]->(kept) | kept][0], b)  // part: kept(b)
    AS b
  WHERE a.namespace = $namespace AND b.namespace = $namespace
  OPTIONAL MATCH (a)-[r]->(b) WHERE type(r) = row.type AND coalesce(r.id, '') = row.own
  WITH row, a, b, collect(r)[0] AS r, CASE WHEN a.redacted_at IS NULL AND b.redacted_at IS NULL THEN row.properties.note END AS note, EXISTS {
    MATCH (gone:Removed) WHERE gone.namespace = $namespace AND gone.removed_at >= row.properties.changed_at
      AND gone.id IN [row.from + ' ' + row.type + ' ' + row.to, a.id + ' ' + row.type + ' ' + b.id] + CASE WHEN a:Thought THEN [] ELSE [row.from, a.id] END + CASE WHEN b:Thought THEN [] ELSE [row.to, b.id] END
  } AS removed
  FOREACH (_ IN CASE WHEN r IS NULL AND a <> b AND NOT removed AND (row.type <> 'MERGED_INTO' OR coalesce(b.trust, 2) <= $most_trust) THEN [1] ELSE [] END |
    CREATE (a)-[made:$(row.type)]->(b)
    SET made = row.properties, made.note = note, made.noted_at = datetime.realtime(), a.noted_at = datetime.realtime()
    FOREACH (used IN CASE WHEN row.type = 'RECALLS' AND coalesce(b.trust, 2) <= $most_trust AND row.properties.last_accessed >= row.properties.created_at - duration('PT1H') THEN [row.properties.last_accessed] ELSE [] END |
      SET b.access_count = coalesce(b.access_count, 0) + 1, b.last_accessed = CASE WHEN b.last_accessed > used THEN b.last_accessed ELSE used END)
    FOREACH (kept IN CASE row.type WHEN 'MERGED_INTO' THEN [b] ELSE [] END |
      SET kept.other_forms = coalesce(kept.other_forms + ' ' + a.other_forms, kept.other_forms, a.other_forms)
      // part: aliases(kept)
      SET kept.aliases = COLLECT { MATCH (kept)<-[:MERGED_INTO]-(stub:Entity) WHERE stub.name <> kept.name AND NOT stub.id IN [] RETURN DISTINCT stub.name AS name ORDER BY name }
      // end of part
    ))
  FOREACH (x IN CASE WHEN (row.properties.changed_at > r.changed_at OR row.properties.rank < r.rank) AND coalesce(r.trust, a.trust, 2) <= $most_trust THEN [r] ELSE [] END |
    SET x = row.properties, x.note = note, x.noted_at = datetime.realtime(), a.noted_at = datetime.realtime())
  RETURN row.number AS number
}
RETURN number
