// Finds the latest thoughts of a session up to a moment.
// candidates: features of each, as in ranking.features.ThoughtFeatures.
:param namespace => 'default';
:param session_id => 'try';
:param moment => datetime();
:param vector => [x IN range(1, 384) | 0.1];
:param pool => 64;
CYPHER 25
// In: the parameters. Out: candidates, as returned.
CALL () {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, step_index)
  WHERE t.namespace = $namespace AND t.session_id = $session_id AND t.step_index >= 0
  WITH * ORDER BY t.namespace DESC, t.session_id DESC, t.step_index DESC LIMIT $pool
  WITH t
  WHERE t.created_at <= $moment
    AND t.hot = true  // part: hot(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
  WITH t, coalesce(2 * vector.similarity.cosine(t.embedding_a, $vector) - 1, 0.0) AS cosine
  RETURN collect([
    // part: thought_features(t, t, cosine)
    t.id, cosine, null, left(CASE WHEN t.content IS :: STRING THEN t.content END, 2000), size(CASE WHEN t.content IS :: STRING THEN t.content END),
    t.author, t.session_id, t.step_index,
    CASE WHEN t.created_at IS :: ZONED DATETIME THEN t.created_at.epochSeconds * 1000000 + t.created_at.microsecond END,
    coalesce(t.salience, t.significance), t.access_count, t.mass,
    t.previous_thought_id, t.revises_thought, t.branch_from, t.parent_id, t.standing,
    coalesce(t.chained = true, t.session_id IS NULL),  // part: in_chain(t)
    EXISTS { (t)<-[:REVISES|SOLVES|CONTRADICTS]-() },
    t.mode, t.thought_type, t.origin, t.chain_id, t.confidence
    // end of part
  ]) AS candidates
}
RETURN candidates, EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
