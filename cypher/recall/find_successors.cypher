// Finds what came after memories: the latest revision of a thought, at most two solutions of a problem, and what
// contradicts a memory most strongly.
//
// For each memory the ids of its latest revision and of what contradicts it, which may be read, contradictions, traits. thoughts and knowledge:
// [features as in ranking.features, role] of what may be recalled with it; the role is revision, solution or against. A thought
// passes the filters; see find_thoughts.
:param namespace => 'default';
:param own_session => '';
:param before => datetime();
:param vector => [x IN range(1, 384) | 0.1];
:param ids => ['thought-1'];
:param request => ({lists: {}, about: []});
CYPHER 25
UNWIND $ids AS id
MATCH (known:Thought|Entity|Observation {id: id})
// In: known. Out: revision, its latest one, or null; solutions, at most two, each in its latest revision.
CALL (known) {
  MATCH (known)<-[way:REVISES|SOLVES*1..8]-(latest:Thought)  // faster to plan than three quantified relationships
  WHERE size([r IN way WHERE type(r) = 'SOLVES']) < 2 AND all(r IN way WHERE coalesce(r.trust, 3) >= coalesce(known.trust, 2))
    AND coalesce(latest.trust, 2) >= coalesce(known.trust, 2)  // part: may_change(latest, known)
    AND latest.namespace = $namespace AND latest.created_at < $before
    AND latest.hot = true  // part: hot(latest)
    AND latest.content IS :: STRING NOT NULL  // part: not_redacted(latest)
    AND CASE latest.is_private WHEN false THEN true ELSE latest.session_id = $own_session END AND coalesce(latest.found_until > datetime(), true)  // part: visible(latest)
    AND coalesce(latest.chained = true, latest.session_id IS NULL)  // part: in_chain(latest)
  WITH latest, head([r IN way WHERE type(r) = 'SOLVES' | startNode(r)]) AS solution ORDER BY latest.created_at DESC, latest.id
  WITH solution, head(collect(latest)) AS latest ORDER BY latest.salience DESC, latest.created_at DESC, latest.id
  RETURN head(collect(CASE WHEN solution IS NULL THEN latest END)) AS revision,
    collect(DISTINCT CASE WHEN solution IS NOT NULL THEN latest END)[..2] AS solutions
}
// In: known. Out: revised_by, the id of its latest revision that may be read, whether it may be recalled or not.
CALL (known) {
  OPTIONAL MATCH (known)<-[:REVISES*1..8]-(x)
  WITH CASE WHEN x.namespace = $namespace
    AND coalesce(x.trust, 2) >= coalesce(known.trust, 2)  // part: may_change(x, known)
    AND CASE WHEN x:Thought
      THEN
        x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.found_until > datetime(), true)  // part: visible(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
      ELSE true END THEN x END AS x ORDER BY coalesce(x.created_at, x.valid_from) DESC, x.id DESC
  RETURN head(collect(x.id)) AS revised_by
}
// In: known. Out: against, what contradicts it most strongly and may be read, and whether it may be recalled.
CALL (known) {
  OPTIONAL MATCH (known)<-[link:CONTRADICTS]-(x)
  WITH link, CASE WHEN x.namespace = $namespace
    AND coalesce(x.trust, 2) >= coalesce(known.trust, 2)  // part: may_change(x, known)
    AND coalesce(link.trust, 3) >= coalesce(known.trust, 2)  // part: may_change(link, known, 3)
    AND CASE WHEN x:Thought
      THEN
        x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.found_until > datetime(), true)  // part: visible(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
      ELSE
        x.valid_from <= $before AND x.valid_to > $before  // part: valid_at(x, $before)
      END THEN x END AS x ORDER BY coalesce(link.cosine, 1.0) DESC, x.id DESC
  WITH count(link) AS contradictions, head(collect(x)) AS against
  RETURN contradictions, against, CASE WHEN against:Thought
    THEN against.created_at < $before
      AND against.hot = true  // part: hot(against)
    ELSE true END AS comes
}
// In: what was found for a memory. Out: thoughts and knowledge, as returned, of this memory.
CALL (id, revision, solutions, against, comes) {
  UNWIND [[revision, 'revision']] + [solution IN solutions | [solution, 'solution']] + [[CASE WHEN comes THEN against END, 'against']] AS found
  WITH id, found[0] AS t, found[1] AS role
  WHERE NOT t:Thought
    OR all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    /*filters*/
  WITH id, t AS x, role, coalesce(2 * vector.similarity.cosine(t.embedding_a, $vector) - 1, 0.0) AS cosine
  RETURN collect(CASE WHEN x:Thought THEN [
      [
        // part: thought_features(x, x, cosine)
        x.id, cosine, null, left(CASE WHEN x.content IS :: STRING THEN x.content END, 2000), size(CASE WHEN x.content IS :: STRING THEN x.content END),
        x.author, x.session_id, x.step_index,
        CASE WHEN x.created_at IS :: ZONED DATETIME THEN x.created_at.epochSeconds * 1000000 + x.created_at.microsecond END,
        coalesce(x.salience, x.significance), x.access_count,
        x.previous_thought_id, x.revises_thought, x.branch_from, x.parent_id, x.standing,
        coalesce(x.chained = true, x.session_id IS NULL),  // part: in_chain(x)
        EXISTS { (x)<-[:REVISES|SOLVES|CONTRADICTS]-() },
        x.mode, x.thought_type, x.chain_id, x.confidence, x.trust, x.origin, x.door
        // end of part
      ], role
    ] END) AS thoughts,
    collect(CASE WHEN NOT x:Thought THEN [
      [
        // part: knowledge_features(x, cosine)
        x.id, cosine, null,
        left(toStringOrNull(CASE WHEN x:Entity THEN x.name + coalesce(': ' + x.description, '') ELSE x.content END), 2000),
        size(toStringOrNull(CASE WHEN x:Entity THEN x.name + coalesce(': ' + x.description, '') ELSE x.content END)),
        CASE WHEN x:Entity THEN 'entity' ELSE 'observation' END, x.name, x.entity_type, x.fact_key, x.entity_id,
        CASE WHEN x.recorded_at IS :: ZONED DATETIME THEN x.recorded_at.epochSeconds * 1000000 + x.recorded_at.microsecond END,
        false, EXISTS { (x)<-[:REVISES|CONTRADICTS]-() },
        x.valid_from.epochSeconds * 1000000 + x.valid_from.microsecond, x.valid_to.epochSeconds * 1000000 + x.valid_to.microsecond,
        x.standing, x.trust, x.origin, x.door, null
        // end of part
      ], role
    ] END) AS knowledge
}
RETURN id, revised_by, against.id AS contradicted_by, contradictions,
  [trait IN [
    CASE WHEN EXISTS { (known)-[:CONTRADICTS]-() } THEN 'contrarian' END,
    CASE WHEN abs(coalesce(toFloatOrNull(known.emotional_weight), 0.0)) >= 0.3 THEN 'emotional' END,
    CASE WHEN EXISTS { (known)-[:SOLVES]->() } THEN 'solution' END
  ] WHERE trait IS NOT NULL] AS traits,
  thoughts, knowledge
