// Merges entities into one, the first of $named. Each is named by its id, or by its name if no entity has the id; one
// that was merged before means the one that it was merged into. unclear lists the names that are not those of exactly
// one entity; then nothing is written.
//
// A merged entity stays as a stub with merged_at and MERGED_INTO to the kept one, so its id and its key (c05) keep their
// meaning: a stub has no vector, no text in the index, and no validity. Its name is one of the kept entity's aliases,
// so that searches for it find that. Its relationships move to the kept entity, with merged_from, its id. Two of the same type to the same node, valid until the same time, become one: it keeps its
// properties, gets those it lacks, and has other values as text in merged_<property>. The same is done with the same
// fact about both, and a fact that is joined becomes a stub, too. A relation between merged entities stays where it is.
//
// The relationships of each node are grouped once, so that the work grows with their number only.
:param named => [{position: 0, id: 'entity-1', name_key: 'ada lovelace'}, {position: 1, id: 'entity-2', name_key: 'ada'}];
:param namespace => 'default';
:param now => datetime();
:param end => datetime('9999-12-31');
:param author => null;
:param reason => null;
:param dry_run => true;
CYPHER 25
UNWIND $named AS one
// In: one. Out: found, the entities that it names.
CALL (one) {
  // In: one. Out: rows of e, and way: 0 if it has the id, 1 if it has the name.
  CALL (one) {
    MATCH (e:Entity {id: one.id}) WHERE e.namespace = $namespace
    RETURN e, 0 AS way
    UNION ALL
    MATCH (e:Entity {namespace: $namespace, name_key: one.name_key}) WHERE e.type_key >= ''
    RETURN e, 1 AS way ORDER BY e.type_key LIMIT 20
  }
  WITH way,
    coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
    AS e
  WITH e, min(way) AS way ORDER BY way, e.type_key
  WITH collect({node: e, way: way}) AS each
  RETURN [x IN each WHERE x.way = each[0].way | x.node] AS found
}
WITH one.position AS position, found ORDER BY position
WITH collect({position: position, found: found}) AS asked
WITH [x IN asked WHERE size(x.found) <> 1 | {position: x.position, same_name: [e IN x.found | e {.id, .name, .entity_type}]}] AS unclear,
  [x IN asked WHERE size(x.found) = 1 | x.found[0]] AS nodes
WITH unclear, CASE WHEN size(unclear) = 0 THEN nodes ELSE [] END AS nodes
WITH unclear, nodes[0] AS keep, nodes[1..] AS nodes
// In: keep, nodes. Out: others, the ones to merge into it, in the order of their ids.
CALL (keep, nodes) {
  UNWIND nodes AS other
  WITH DISTINCT keep, other WHERE other <> keep
  WITH other ORDER BY other.id
  RETURN collect(other) AS others
}
// The locks, before anything else is read. Changing the key and changing it back (in two SET) waits for writers that have
// just found the entity by it, and lets those that look for it wait for the end of the merge.
FOREACH (x IN CASE WHEN $dry_run OR size(others) = 0 THEN [] ELSE [keep] + others END | SET x.lock = 0)
FOREACH (x IN CASE WHEN $dry_run THEN [] ELSE others END |
  FOREACH (key IN [x.type_key] | SET x.type_key = key + ' ' SET x.type_key = key))
WITH unclear, keep, others, any(x IN [keep] + others WHERE x.merged_at IS NOT NULL) AS changed
WITH unclear, keep, changed, CASE WHEN changed THEN [] ELSE others END AS others

// In: keep, others. Out: facts, the facts about them: the node that stays for all that have one text and one end of
// validity, its entity, the nodes that join it, and whether its end is the latest of this text.
CALL (keep, others) {
  UNWIND CASE WHEN size(others) = 0 THEN [] ELSE [keep] + others END AS owner
  MATCH (owner)<-[about:ABOUT]-(o:Observation) WHERE o.merged_at IS NULL
  WITH coalesce(o.fact_key, o.id) AS fact_key, o.valid_to AS until, o, owner, about
  ORDER BY CASE owner WHEN keep THEN 0 ELSE 1 END, o.recorded_at, o.id
  WITH fact_key, until, collect({node: o, owner: owner, about: about}) AS same ORDER BY until DESC
  WITH fact_key, collect(same) AS ends
  UNWIND range(0, size(ends) - 1) AS i
  RETURN collect({
    node: ends[i][0].node, owner: ends[i][0].owner, about: ends[i][0].about, rest: [x IN ends[i][1..] | x.node],
    latest: i = 0
  }) AS facts
}
// In: keep, others, facts. Out: links, the relationships that move or are joined: those of one type and end of
// validity between two nodes. stays: the first of them belongs to the target already.
CALL (keep, others, facts) {
  WITH keep, others, facts, COLLECT { UNWIND facts AS fact UNWIND fact.rest AS node RETURN node } AS joined
  // In: keep, others, facts. Out: rows of owner, whose relationships move or are joined, and target, the node that gets them.
  CALL (keep, others, facts) {
    UNWIND CASE WHEN size(others) = 0 THEN [] ELSE [keep] + others END AS owner
    RETURN owner, keep AS target
    UNION ALL
    UNWIND [fact IN facts WHERE size(fact.rest) > 0] AS fact
    UNWIND [fact.node] + fact.rest AS owner
    RETURN owner, fact.node AS target
  }
  MATCH (owner)-[r]-(x)
  WHERE type(r) <> 'ABOUT' AND x <> keep AND NOT x IN others AND (x.merged_at IS NULL OR type(r) = 'MERGED_INTO')
    AND NOT (x:Observation AND owner:Observation AND x IN joined)
  WITH target, x, type(r) AS type, startNode(r) = owner AS out, coalesce(r.valid_to, $end) AS until, owner, r
  ORDER BY CASE owner WHEN target THEN 0 ELSE 1 END, coalesce(r.recorded_at, r.created_at), elementId(r)
  WITH target, x, type, out, until, collect({r: r, owner: owner}) AS same
  WHERE same[-1].owner <> target
  RETURN collect({
    target: target, x: x, type: type, out: out, first: same[0].r, owner: same[0].owner,
    stays: same[0].owner = target, rest: [one IN same[1..] WHERE one.owner <> target | one.r]
  }) AS links
}
WITH *, keep.description IS NULL AND any(x IN others WHERE x.description IS NOT NULL) AS described,
  [x IN others | {
    node: x,
    observations: size([fact IN facts WHERE fact.owner = x]),
    relations: size([link IN links WHERE link.owner = x AND link.x:Entity AND link.type <> 'MERGED_INTO'])
  }] AS merged,
  CASE WHEN $dry_run THEN [] ELSE facts END AS written_facts,
  CASE WHEN $dry_run THEN [] ELSE links END AS written_links,
  CASE WHEN $dry_run THEN [] ELSE others END AS written

// Facts. Those with an earlier end give up their key first, since a key belongs to one fact.
FOREACH (fact IN [fact IN written_facts WHERE NOT fact.latest] |
  SET fact.node.fact_key = fact.node.fact_key + ' ' + fact.node.id)
FOREACH (fact IN written_facts | FOREACH (o IN [fact.node] |
  FOREACH (joining IN fact.rest |
    SET o.valid_from = CASE WHEN joining.valid_from < o.valid_from THEN joining.valid_from ELSE o.valid_from END,
      o.source = CASE WHEN o.source <> joining.source THEN o.source + ', ' + joining.source ELSE coalesce(o.source, joining.source) END,
      o.access_count = coalesce(o.access_count, 0) + coalesce(joining.access_count, 0),
      joining.kind = 'alias', joining.merged_at = $now,
      joining.valid_to = CASE WHEN joining.valid_from > $now THEN joining.valid_from WHEN $now < joining.valid_to THEN $now ELSE joining.valid_to END
    REMOVE joining.ns_key, joining.other_forms, joining.embedding_a, joining.embedding_b, joining.embedding_deferred
    CREATE (joining)-[:MERGED_INTO]->(o))
  FOREACH (owner IN CASE fact.owner WHEN keep THEN [] ELSE [fact.owner] END |
    SET o.entity_id = keep.id, o.merged_from = coalesce(o.merged_from, owner.id)
    CREATE (o)-[about:ABOUT]->(keep)
    SET about = properties(fact.about)
    DELETE fact.about)))

// Relationships.
// In: written_links. Out: nothing; moves or joins each of them.
CALL (written_links) {
  UNWIND written_links AS link
  // In: link. Out: kept, the relationship that stays: the first one if it belongs to the target, else a new one.
  CALL (link) {
    WITH link WHERE link.stays
    RETURN link.first AS kept
    UNION ALL
    WITH link WHERE NOT link.stays AND link.out
    WITH link, link.target AS target, link.x AS x
    CREATE (target)-[made:$(link.type)]->(x)
    RETURN made AS kept
    UNION ALL
    WITH link WHERE NOT link.stays AND NOT link.out
    WITH link, link.target AS target, link.x AS x
    CREATE (x)-[made:$(link.type)]->(target)
    RETURN made AS kept
  }
  FOREACH (_ IN CASE WHEN link.stays THEN [] ELSE [1] END |
    SET kept = properties(link.first), kept.merged_from = coalesce(link.first.merged_from, link.owner.id)
    DELETE link.first)
  FOREACH (r IN link.rest |
    FOREACH (name IN [name IN keys(r) WHERE kept[name] <> r[name]] |
      SET kept['merged_' + name] = coalesce(kept['merged_' + name], []) + CASE
        WHEN r[name] IS :: LIST<ANY> THEN [item IN r[name] | toStringOrNull(item)] ELSE [toStringOrNull(r[name])] END)
    FOREACH (name IN [name IN keys(r) WHERE kept[name] IS NULL] | SET kept[name] = r[name])
    FOREACH (earlier IN CASE WHEN r.valid_from < kept.valid_from THEN [r.valid_from] ELSE [] END |
      SET kept.valid_from = earlier)
    DELETE r)
}

// The kept entity, and the stubs.
FOREACH (other IN written |
  SET keep.aliases = reduce(names = [], name IN coalesce(keep.aliases, []) + other.name + coalesce(other.aliases, []) |
    CASE WHEN name IN names OR name = keep.name THEN names ELSE names + name END),
    keep.other_forms = coalesce(keep.other_forms + ' ' + other.other_forms, keep.other_forms, other.other_forms)
  FOREACH (name IN [name IN keys(other) WHERE keep[name] IS NULL AND NOT name STARTS WITH 'embedding' AND NOT name STARTS WITH 'merged_'] |
    SET keep[name] = other[name])
  SET keep.access_count = coalesce(keep.access_count, 0) + coalesce(other.access_count, 0),
    keep.valid_from = CASE WHEN other.valid_from < keep.valid_from THEN other.valid_from ELSE keep.valid_from END,
    keep.valid_to = CASE WHEN keep.valid_to < other.valid_to THEN other.valid_to ELSE keep.valid_to END)
FOREACH (_ IN CASE WHEN described AND NOT $dry_run THEN [1] ELSE [] END | SET keep.embedding_deferred = true)
FOREACH (one IN CASE WHEN $dry_run THEN [] ELSE merged END | FOREACH (other IN [one.node] |
  SET other.kind = 'alias', other.merged_at = $now, other.merged_by = $author, other.merged_reason = $reason,
    other.merged_observations = one.observations, other.merged_relations = one.relations,
    other.valid_to = CASE WHEN other.valid_from > $now THEN other.valid_from WHEN $now < other.valid_to THEN $now ELSE other.valid_to END
  REMOVE other.ns_key, other.other_forms, other.embedding_a, other.embedding_b, other.embedding_deferred
  CREATE (other)-[:MERGED_INTO]->(keep)))
RETURN unclear, changed,
  keep {.id, .name, .entity_type} AS kept,
  [one IN merged | {id: one.node.id, name: one.node.name, entity_type: one.node.entity_type, observations: one.observations, relations: one.relations}] AS merged,
  size([link IN links WHERE NOT link.x:Entity]) AS links,
  reduce(total = 0, fact IN facts | total + size(fact.rest)) + reduce(total = 0, link IN links | total + size(link.rest)) AS joined
