// Finds the thoughts that a text may bring to mind: the nearest by meaning, those that share its words, and the thoughts
// linked to either. Returns one record of lists, which takes a fifth of the time of a record for each thought.
//
// Conditions from the fixed list in db/filters.py replace the filter marks. Private thoughts are found in their own
// session only. With $text_limit 0 it searches by meaning only. $request.nearest replaces the search by meaning, if
// find_tagged has searched already.
//
// candidates: features of each, as in ranking.features.ThoughtFeatures. nearest: [id, cosine] of all thoughts by meaning; the
// first $pool of them are candidates. ends: the lowest cosine of each index search that found $index_limit thoughts, and
// may have cut a tie.
:param namespace => 'default';
:param own_session => '';
:param vector => [x IN range(1, 384) | 0.1];
:param text_query => 'retry';
:param request => ({lists: {}, redactions: false, nearest: null});
:param index_limit => 40;
:param text_limit => 40;
:param pool => 40;
CYPHER 25
// In: the parameters. Out: nearest and ends, as returned; by_meaning, the first $pool, public and own, as [thought, cosine, null].
CALL () {
  // In: the parameters. Out: public thoughts, and the private ones of the session.
  CALL () {
    WITH 1 AS one WHERE $request.nearest IS NULL
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.is_private = false  // part: public(t)
          /*filters*/
        LIMIT $index_limit
      ) SCORE AS score
    RETURN t, 2 * score - 1 AS cosine, false AS private
    UNION ALL
    MATCH (session:Session {namespace: $namespace, id: $own_session}) WHERE session.has_private AND $request.nearest IS NULL
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.session_id = $own_session AND t.is_private = true  // part: own_private(t)
          /*other filters*/
        LIMIT $index_limit
      ) SCORE AS score
    RETURN t, 2 * score - 1 AS cosine, true AS private
    UNION ALL
    UNWIND coalesce($request.nearest, []) AS found
    MATCH (t:Thought {id: found[0]})
    RETURN t, found[1] AS cosine, false AS private
  }
  WITH t, cosine, private ORDER BY cosine DESC, t.id
  WITH collect([t.id, cosine]) AS nearest, collect(CASE WHEN NOT private THEN [t, cosine, null] END) AS public,
    collect(CASE WHEN private THEN [t, cosine, null] END) AS own
  RETURN nearest, public[..$pool] + own[..$pool] AS by_meaning,
    [found IN [public, own] WHERE size(found) = $index_limit AND $request.nearest IS NULL | found[-1][1]] AS ends
}
// In: the parameters. Out: by_words, at most $pool of [thought, null, score].
CALL () {
  WITH 1 AS one WHERE $text_limit > 0
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: $text_limit}) YIELD node AS t, score
  WITH t, score
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
    /*filters*/
  WITH t, score LIMIT $pool
  RETURN collect([t, null, score]) AS by_words
}
// In: by_meaning and by_words. Out: candidates, as returned, with up to eight linked thoughts of each.
CALL (by_meaning, by_words) {
  UNWIND by_meaning + by_words AS found
  WITH found[0] AS hit, max(found[1]) AS cosine, max(found[2]) AS score
  // In: one hit. Out: the hit, then the thoughts linked to it, without scores.
  CALL (hit, cosine, score) {
    RETURN hit AS t, cosine AS near, score AS text_score
    UNION ALL
    MATCH (hit)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
    WITH t LIMIT 8  // before the conditions: else the planner begins at an index of time, and reads all of it
    WHERE t.namespace = $namespace
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
      AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
      /*filters*/
    RETURN t, null AS near, null AS text_score
  }
  WITH t, max(near) AS near, max(text_score) AS text_score
  WITH t, coalesce(near, 2 * vector.similarity.cosine(t.embedding_a, $vector) - 1, 0.0) AS cosine, text_score
  RETURN collect([
    // part: thought_features(t, cosine, text_score)
    t.id, cosine, text_score, left(CASE WHEN t.content IS :: STRING THEN t.content END, 2000), size(CASE WHEN t.content IS :: STRING THEN t.content END),
    t.author, t.session_id, t.step_index,
    CASE WHEN t.created_at IS :: ZONED DATETIME THEN t.created_at.epochSeconds * 1000000 + t.created_at.microsecond END,
    coalesce(t.salience, t.significance), t.access_count, t.mass,
    t.previous_thought_id, t.revises_thought, t.branch_from, t.parent_id, t.standing,
    CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END,
    EXISTS { (t)<-[:REVISES|SOLVES|CONTRADICTS]-() }
    // end of part
  ]) AS candidates
}
RETURN candidates, nearest, ends,
  EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
