// Finds the thoughts that a text may bring to mind: the nearest by meaning, those that share its words, and the thoughts
// linked to the best $linked of either. Returns one record of lists, which takes a fifth of the time of a record for each thought.
//
// Conditions from the fixed list in db/filters.py replace the filter marks. Private thoughts are found in their own
// session only. With $text_limit 0 it searches by meaning only. $request.nearest replaces the search by meaning, if
// find_tagged has searched already.
//
// candidates: features of each, as in ranking.features.ThoughtFeatures. more: whether a search found $pool thoughts, and may
// have found more.
:param namespace => 'default';
:param own_session => '';
:param vector => [x IN range(1, 384) | 0.1];
:param text_query => 'retry';
:param request => ({lists: {}, about: [], redactions: false, nearest: null});
:param text_limit => 40;
:param pool => 40;
:param linked => 10;
:param reserved => 20;
:param share => 0.7;
CYPHER 25
// In: the parameters. Out: the nearest $pool, public and own, as [thought, cosine, null].
CALL () {
  // In: the parameters. Out: public thoughts, and the private ones of the session.
  CALL () {
    WITH 1 AS one WHERE $request.nearest IS NULL
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.is_private = false AND t.found_until > datetime()  // part: found(t)
          /*filters*/
        LIMIT $pool
      ) SCORE AS score
    RETURN t, 2 * score - 1 AS cosine, false AS private
    UNION ALL
    MATCH (session:Session {namespace: $namespace, id: $own_session}) WHERE session.has_private AND $request.nearest IS NULL
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.session_id = $own_session AND t.is_private = true AND t.found_until > datetime()  // part: own_private(t)
          /*other filters*/
        LIMIT $pool
      ) SCORE AS score
    RETURN t, 2 * score - 1 AS cosine, true AS private
    UNION ALL
    UNWIND coalesce($request.nearest, []) AS found
    MATCH (t:Thought {id: found[0]})
    RETURN t, found[1] AS cosine, false AS private
  }
  WITH t, cosine, private ORDER BY cosine DESC, t.id
  RETURN collect(CASE WHEN NOT private THEN [t, cosine, null] END) AS public, collect(CASE WHEN private THEN [t, cosine, null] END) AS private
}
// In: public. Out: reserved, the user's nearest, if others take places: a thousand copies of one text would take all. What is
// further than $share of the nearest gets no place by its trust (ranking/trusted.py).
CALL (public) {
  WITH 1 AS one WHERE size(public) = $pool AND $request.nearest IS NULL AND public[-1][1] >= $share * public[0][1]
    AND any(found IN public WHERE coalesce(found[0].trust, 2) < 3)
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace AND t.trust = 3
        AND t.is_private = false AND t.found_until > datetime()  // part: found(t)
        /*filters*/
      LIMIT $reserved
    ) SCORE AS score
  WITH t, 2 * score - 1 AS cosine ORDER BY cosine DESC, t.id
  RETURN collect([t, cosine, null]) AS reserved
}
// In: the parameters. Out: by_words, at most $pool of [thought, null, score].
CALL () {
  WITH 1 AS one WHERE $text_limit > 0
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: $text_limit}) YIELD node AS t, score
  WITH t, score
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    /*filters*/
  WITH t, score LIMIT $pool
  RETURN collect([t, null, score]) AS by_words
}
// In: public, private, reserved and by_words. Out: candidates, as returned, with up to eight thoughts linked to each of the best $linked.
CALL (public, private, reserved, by_words) {
  // In: the hits. Out: each, then the thoughts linked to the best of them, without scores.
  CALL (public, private, reserved, by_words) {
    UNWIND public + private + reserved + by_words AS found
    RETURN found[0] AS t, found[1] AS near, found[2] AS score
    UNION ALL
    UNWIND public[..$linked] + private[..$linked] + by_words[..$linked] AS found
    WITH DISTINCT found[0] AS hit
    // In: one hit. Out: at most eight thoughts linked to it.
    CALL (hit) {
      MATCH (hit)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
      RETURN t LIMIT 8
    }
    WITH DISTINCT t
    WHERE t.namespace = $namespace
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
      AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
      AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
      /*filters*/
    RETURN t, null AS near, null AS score
  }
  // A section is found, and its long thought is the candidate.
  WITH coalesce([(t)-[:CHILD_OF]->(whole) WHERE t.id CONTAINS '::' | whole][0], t) AS t, max(near) AS near, max(score) AS text_score
  WITH t, properties(t) AS p, near, text_score  // all at once: each t.name would search the chain of properties again
  WITH t, p, coalesce(near, 2 * vector.similarity.cosine(p.embedding_a, $vector) - 1, 0.0) AS cosine, text_score
  RETURN collect([
    // part: thought_features(t, p, cosine, text_score)
    p.id, cosine, text_score, left(CASE WHEN p.content IS :: STRING THEN p.content END, 2000), size(CASE WHEN p.content IS :: STRING THEN p.content END),
    p.author, p.session_id, p.step_index,
    CASE WHEN p.created_at IS :: ZONED DATETIME THEN p.created_at.epochSeconds * 1000000 + p.created_at.microsecond END,
    coalesce(p.salience, p.significance), p.access_count,
    p.previous_thought_id, p.revises_thought, p.branch_from, p.parent_id, p.standing,
    coalesce(p.chained = true, p.session_id IS NULL),  // part: in_chain(p)
    EXISTS { (t)<-[:REVISES|SOLVES|CONTRADICTS]-() },
    p.mode, p.thought_type, p.chain_id, p.confidence, p.trust, p.origin, p.door
    // end of part
  ]) AS candidates
}
RETURN candidates, $pool IN [size(public), size(private), size(by_words)] AS more,
  EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
