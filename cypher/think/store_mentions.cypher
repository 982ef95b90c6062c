// Creates the MENTIONS of stored thoughts that are missing. All ends are locked by id first, as think locks them. A thought
// that was redacted since it was read gets none.
:param most_mentions => 50;
:param thoughts => [{id: 'thought-1', namespace: 'default', names: [{beginning: 'retry', keys: ['retry storm']}]}];
CYPHER 25
UNWIND $thoughts AS new
MATCH (t:Thought {id: new.id}) WHERE t.namespace = new.namespace
// part: named()
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
// end of part
WITH collect({t: t, named: named}) AS found
// In: found. Out: locked, how many nodes.
CALL (found) {
  UNWIND found AS one
  UNWIND one.named + one.t AS n
  WITH DISTINCT n ORDER BY n.id
  SET n.lock = 0
  RETURN count(n) AS locked
}
UNWIND found AS one
WITH one.t AS t, one.named AS named
WHERE
  t.content IS :: STRING NOT NULL  // part: not_redacted(t)
UNWIND named AS e
MERGE (t)-[:MENTIONS]->(e)
