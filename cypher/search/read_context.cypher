// Reads what an agent needs at the start of a session: pinned thoughts, the newest standing preferences and
// instructions, open problems, tasks and questions, and the most recent ones, its own session first. Redacted thoughts are left
// out, and the steps that record redactions. What a file, a tool or a page says is no instruction: it is neither standing nor
// pinned, unless the user pins it. Each section begins at an index and ends at its limit. $now may be in the
// past: then nothing later is returned, or has revised or solved anything.
:param namespace => 'default';
:param own_session => '';
:param vector => [x IN range(1, 384) | 0.1];
:param has_query => false;
:param now => datetime();
:param section_limit => 20;
:param pinned_limit => 21;
:param open_limit => 200;
:param standing_limit => 200;
:param standing_shown => 21;
CYPHER 25
// In: the parameters. Out: thoughts with the section they belong to; priority 0 comes before 1 within a section.
CALL () {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, pinned)
  WHERE t.namespace = $namespace AND t.pinned = true AND (coalesce(t.trust, 2) >= 2 OR t.pin_trust = 3)
    AND coalesce(t.created_at <= $now, true)  // part: existed(t, $now)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  RETURN t, 'pinned' AS part, 0 AS priority ORDER BY t.created_at DESC, t.id LIMIT $pinned_limit
  UNION ALL
  // Only of chains: anybody with access to the database can plant an instruction elsewhere.
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, standing, created_at)
  WHERE t.namespace = $namespace AND t.standing = true AND t.created_at <= $now
  WITH t ORDER BY t.namespace DESC, t.standing DESC, t.created_at DESC, t.id LIMIT $standing_limit
  WITH t
  WHERE t.hot = true  // part: hot(t)
    AND coalesce(t.trust, 2) >= 2
    AND coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    // part: in_force(t, $now)
    AND size([
      x IN [(t)<-[link:REVISES|CONTRADICTS]-(later)
        WHERE coalesce(later.trust, 2) >= coalesce(t.trust, 2)  // part: may_change(later, t)
          AND coalesce(link.trust, 3) >= coalesce(t.trust, 2)  // part: may_change(link, t, 3)
        | later]
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $now, true)  // part: existed(x, $now)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x, $own_session)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
      ]) = 0
    // end of part
  RETURN t, 'standing' AS part, 0 AS priority ORDER BY coalesce(t.trust, 2) DESC, t.created_at DESC LIMIT $standing_shown
  UNION ALL
  MATCH (t:Observation) USING INDEX SEEK t:Observation(namespace, standing, valid_from)
  WHERE t.namespace = $namespace AND t.standing = true AND t.valid_from <= $now
  WITH t ORDER BY t.namespace DESC, t.standing DESC, t.valid_from DESC, t.id LIMIT $standing_limit
  WITH t
  WHERE t.valid_from <= $now AND t.valid_to > $now  // part: valid_at(t, $now)
    AND EXISTS { (t)-[:ABOUT]->(:Entity) } AND coalesce(t.trust, 2) >= 2
  RETURN t, 'standing' AS part, 0 AS priority ORDER BY coalesce(t.trust, 2) DESC, t.valid_from DESC LIMIT $standing_shown
  UNION ALL
  // Open: problems, tasks and questions, nearest to the query, else the newest, and questions last; a vector index answers the
  // filters in either case. Most are solved by now, so as a rule all of a namespace are read. When there are more than
  // $open_limit of a kind, those the index returns without a query are arbitrary, so the newest are also searched in time,
  // among 10,000 thoughts.
  // In: the parameters. Out: near, a list of {node, cosine}, and full, whether there may be more.
  CALL () {
    // In: the parameters. Out: thoughts of each kind.
    CALL () {
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR $vector
          WHERE t.namespace = $namespace AND t.mode = 'stuck'
            AND t.hot = true  // part: hot(t)
          LIMIT $open_limit
        ) SCORE AS index_score
      RETURN 'stuck' AS kind, t, index_score
      UNION ALL
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR $vector
          WHERE t.namespace = $namespace AND t.thought_type = 'todo'
            AND t.hot = true  // part: hot(t)
          LIMIT $open_limit
        ) SCORE AS index_score
      RETURN 'todo' AS kind, t, index_score
      UNION ALL
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR $vector
          WHERE t.namespace = $namespace AND t.thought_type = 'question'
            AND t.hot = true  // part: hot(t)
          LIMIT $open_limit
        ) SCORE AS index_score
      RETURN 'question' AS kind, t, index_score
    }
    WITH kind, collect({node: t, cosine: 2 * index_score - 1}) AS found
    WITH collect(found) AS kinds
    RETURN reduce(all = [], found IN kinds | all + found) AS near, any(found IN kinds WHERE size(found) = $open_limit) AS full
  }
  // In: near, full. Out: its thoughts and, when it is full and there is no query, the newest open ones.
  CALL (near, full) {
    UNWIND near AS found
    RETURN found.node AS t, found.cosine AS cosine
    UNION ALL
    // A bound of the index: as a condition outside it, it would be evaluated for each thought.
    WITH CASE WHEN full AND NOT $has_query THEN $now END AS latest
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
    WHERE t.namespace = $namespace AND t.created_at <= latest
    WITH t ORDER BY t.namespace DESC, t.created_at DESC LIMIT 10000
    WITH t
    WHERE t.hot = true  // part: hot(t)
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
      AND
      // part: is_open(t, $now)
      (t.mode = 'stuck' OR t.thought_type = 'todo' OR t.thought_type = 'question' AND right(rtrim(t.content), 1) IN ['?', '？', '؟'])
      AND NOT coalesce(t.outcome_score > 0, false)
      AND NOT EXISTS {
        (t)<-[link:SOLVES|REVISES]-(x:Thought)
        WHERE
          // part: may_mark(x, t, $now)
          x.namespace = $namespace
          AND coalesce(coalesce(x.created_at, x.recorded_at) <= $now, true)
          AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
          AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
          AND coalesce(x.trust, 2) >= coalesce(t.trust, 2)  // part: may_change(x, t)
          // end of part
          AND coalesce(link.trust, 3) >= coalesce(t.trust, 2)  // part: may_change(link, t, 3)
      }
      // end of part
    RETURN t, -1.0 AS cosine ORDER BY t.namespace DESC, t.created_at DESC LIMIT $section_limit
  }
  WITH t, max(cosine) AS cosine
  WHERE (NOT t.id CONTAINS '::')  // part: whole(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND coalesce(t.created_at <= $now, true)  // part: existed(t, $now)
    AND
    // part: is_open(t, $now)
    (t.mode = 'stuck' OR t.thought_type = 'todo' OR t.thought_type = 'question' AND right(rtrim(t.content), 1) IN ['?', '？', '؟'])
    AND NOT coalesce(t.outcome_score > 0, false)
    AND NOT EXISTS {
      (t)<-[link:SOLVES|REVISES]-(x:Thought)
      WHERE
        // part: may_mark(x, t, $now)
        x.namespace = $namespace
        AND coalesce(coalesce(x.created_at, x.recorded_at) <= $now, true)
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        AND coalesce(x.trust, 2) >= coalesce(t.trust, 2)  // part: may_change(x, t)
        // end of part
        AND coalesce(link.trust, 3) >= coalesce(t.trust, 2)  // part: may_change(link, t, 3)
    }
    // end of part
  RETURN t, 'unresolved' AS part, CASE WHEN t.mode = 'stuck' OR t.thought_type = 'todo' THEN 0 ELSE 1 END AS priority
  ORDER BY priority, CASE WHEN $has_query THEN cosine ELSE 0.0 END DESC, t.created_at DESC, t.id LIMIT $section_limit
  UNION ALL
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
  WHERE t.session_id = $own_session AND t.created_at <= $now AND t.namespace = $namespace
    AND t.redacts IS NULL
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  RETURN t, 'recent' AS part, 0 AS priority ORDER BY t.namespace DESC, t.session_id DESC, t.created_at DESC, t.id DESC LIMIT $section_limit
  UNION ALL
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
  WHERE t.namespace = $namespace AND t.created_at <= $now
    AND t.hot = true  // part: hot(t)
    AND t.is_private = false AND coalesce(t.found_until > datetime(), true)  // part: public(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
  RETURN t, 'recent' AS part, 1 AS priority ORDER BY t.namespace DESC, t.created_at DESC, t.id DESC LIMIT $section_limit
}
WITH t, part, min(priority) AS priority ORDER BY part, priority, coalesce(t.created_at, t.recorded_at) DESC, t.id
WITH collect([part, t.id]) AS parts
// active: whether the index that was searched is still the one in use.
RETURN parts, EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
