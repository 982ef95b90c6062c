// part: named()
// In: new. Out: named, the entities that its text names, at most $most_mentions; merged ones are those they were merged into.
CALL (new) {
  UNWIND new.names AS possible
  // In: possible, keys of names with one beginning. Out: known, if the name of an entity has it. Few have: this saves half of the time.
  CALL (new, possible) {
    MATCH (e:Entity) USING INDEX e:Entity(namespace, name_key, type_key)
    WHERE e.namespace = new.namespace AND e.name_key STARTS WITH possible.beginning AND e.type_key IS NOT NULL
    RETURN true AS known LIMIT 1
  }
  UNWIND possible.keys AS key
  MATCH (e:Entity) USING INDEX e:Entity(namespace, name_key, type_key)
  WHERE e.namespace = new.namespace AND e.name_key = key AND e.type_key IS NOT NULL
  WITH DISTINCT
    coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
    AS e LIMIT $most_mentions
  RETURN collect(e) AS named
}
