// Finds the thoughts of a role, $pool at most: as 'standing' the newest standing preferences and instructions that nothing
// had revised or contradicted at a moment, as 'playbook' thoughts that solved a problem: of the $scanned newest or most salient ones the
// user's first. What a file, a tool or a page says is neither.
// listed: [features as in ranking.features.ThoughtFeatures, the problem's error signature, its cosine] of each, and of a
// playbook for each problem, in this order.
:param role => 'standing';
:param namespace => 'default';
:param own_session => '';
:param moment => datetime();
:param vector => [x IN range(1, 384) | 0.1];
:param pool => 64;
:param scanned => 1000;
CYPHER 25
// In: the parameters. Out: listed, as returned.
CALL () {
  // In: the parameters. Out: t, thoughts of the role; problem, what a playbook solved.
  CALL () {
    WITH 1 AS one WHERE $role = 'standing'
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, standing, created_at)
    WHERE t.namespace = $namespace AND t.standing = true AND t.created_at <= $moment
    WITH t ORDER BY t.namespace DESC, t.standing DESC, t.created_at DESC, t.id LIMIT $scanned
    WITH t ORDER BY coalesce(t.trust, 2) DESC, t.created_at DESC, t.id LIMIT $pool
    WITH t
    WHERE t.hot = true  // part: hot(t)
      AND coalesce(t.trust, 2) >= 2
      // part: in_force(t, $moment)
      AND size([
        x IN [(t)<-[link:REVISES|CONTRADICTS]-(later)
          WHERE coalesce(later.trust, 2) >= coalesce(t.trust, 2)  // part: may_change(later, t)
            AND coalesce(link.trust, 3) >= coalesce(t.trust, 2)  // part: may_change(link, t, 3)
          | later]
        WHERE x.namespace = $namespace
          AND coalesce(x.created_at <= $moment, true)  // part: existed(x, $moment)
          AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x, $own_session)
          AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        ]) = 0
      // end of part
    RETURN t, null AS problem
    UNION ALL
    WITH 1 AS one WHERE $role = 'playbook'
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, playbook, salience)
    WHERE t.namespace = $namespace AND t.playbook = true AND t.salience >= 0.0
    WITH t ORDER BY t.namespace DESC, t.playbook DESC, t.salience DESC, t.id LIMIT $scanned
    WITH t ORDER BY coalesce(t.trust, 2) DESC, t.salience DESC, t.id LIMIT $pool
    MATCH (t)-[:SOLVES]->(problem:Thought)
    WHERE t.created_at < $moment AND coalesce(t.trust, 2) >= 2
    RETURN t, problem
  }
  WITH t, problem
  WHERE t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
  WITH t, problem, coalesce(2 * vector.similarity.cosine(t.embedding_a, $vector) - 1, 0.0) AS cosine
  RETURN collect([
    [
      // part: thought_features(t, t, cosine)
      t.id, cosine, null, left(CASE WHEN t.content IS :: STRING THEN t.content END, 2000), size(CASE WHEN t.content IS :: STRING THEN t.content END),
      t.author, t.session_id, t.step_index,
      CASE WHEN t.created_at IS :: ZONED DATETIME THEN t.created_at.epochSeconds * 1000000 + t.created_at.microsecond END,
      coalesce(t.salience, t.significance), t.access_count,
      t.previous_thought_id, t.revises_thought, t.branch_from, t.parent_id, t.standing,
      coalesce(t.chained = true, t.session_id IS NULL),  // part: in_chain(t)
      EXISTS { (t)<-[:REVISES|SOLVES|CONTRADICTS]-() },
      t.mode, t.thought_type, t.chain_id, t.confidence, t.trust, t.origin, t.door
      // end of part
    ],
    problem.error_signature, 2 * vector.similarity.cosine(problem.embedding_a, $vector) - 1
  ]) AS listed
}
RETURN listed, EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
