// Reads thoughts, entities and observations by their ids, in one list those that may be read: what lists show of their
// items, or with $whole all that is stored about them but their vectors and their copies of other texts. A private thought is
// read in its own session only. The id of a merged node leads to the one that it was merged into, that of a section to its
// long thought: a section is never a result. With $as_of, a thought must have existed then, and knowledge must have been valid.
//
// Three marks: of several revisions the latest one counts, of several solutions that of the greatest salience, in its
// latest revision, and the strongest contradiction. Conditions follow a WITH, so that the planner begins at the node. Most
// nodes have none of these relationships, so marked is tested first.
:param ids => ['thought-1', 'entity-1'];
:param namespace => 'default';
:param own_session => '';
:param as_of => null;
:param text_length => 600;
:param whole => false;
CYPHER 25
OPTIONAL MATCH (d:LegacyMind {id: 'database'})
WITH d.active_slot AS slot
UNWIND $ids AS id
MATCH (named:Thought|Entity|Observation {id: id, namespace: $namespace})
WHERE (named.is_private = false OR named.session_id = $own_session OR NOT named:Thought) AND coalesce(named.found_until > datetime(), true)  // part: visible_node(named)
WITH id, slot, coalesce(
  [(named)-[:CHILD_OF]->(parent) WHERE named.id CONTAINS '::' | parent][0],
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  ) AS n
WHERE CASE WHEN $as_of IS NULL THEN true WHEN n:Thought
  THEN
    coalesce(n.created_at <= $as_of, true)  // part: existed(n, $as_of)
  ELSE
    n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
  END
// All properties at once: each n.name would search their chain again.
WITH id, slot, n, properties(n) AS p, EXISTS { (n)<-[:REVISES|SOLVES|CONTRADICTS]-() } AS marked
RETURN collect([id, {
  kind: toLower([label IN labels(n) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(n)
  properties: CASE WHEN $whole
    THEN p {.*, content: left(toStringOrNull(p.content), $text_length), description: left(toStringOrNull(p.description), $text_length),
      embedding_a: null, embedding_b: null, other_forms: null, enriched_content: null}
    ELSE p {.id, .name, .entity_type, .session_id, .chain_id, .step_index, .mode, .thought_type, .author, .confidence, .standing, .hot,
      .previous_thought_id, .revises_thought, .branch_from, .origin, .door, .trust,
      content: left(toStringOrNull(p.content), $text_length), description: left(toStringOrNull(p.description), $text_length)}
    END,
  times: CASE WHEN NOT $whole THEN [at IN [coalesce(p.created_at, p.recorded_at), p.valid_from, p.valid_to, p.redacted_at] |
    CASE WHEN at IS :: ZONED DATETIME NOT NULL THEN at.epochSeconds * 1000000 + at.microsecond END] END,
  entity: [(n)-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about {.id, .name, entity_type: coalesce(about.entity_type, '')}][0],
  outside_chain: NOT coalesce(n.chained = true, n.session_id IS NULL),  // part: in_chain(n)
  revised_by: CASE WHEN marked THEN COLLECT {
    MATCH (n)<-[:REVISES]-{1,8}(x)
    WITH DISTINCT x
    WHERE
      // part: may_mark(x, n, $as_of)
      x.namespace = $namespace
      AND coalesce(coalesce(x.created_at, x.recorded_at) <= $as_of, true)
      AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
      AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
      AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
      AND coalesce(x.trust, 2) >= coalesce(n.trust, 2)  // part: may_change(x, n)
      // end of part
    RETURN x.id ORDER BY coalesce(x.created_at, x.valid_from) DESC, x.id DESC LIMIT 1
  }[0] END,
  solved_by: CASE WHEN marked THEN COLLECT {
    MATCH (n)<-[:REVISES]-{0,8}()<-[s:SOLVES]-(first:Thought)<-[:REVISES]-{0,8}(x:Thought)
    WITH s, first, x
    WHERE coalesce(s.created_at <= $as_of, true)
      AND
        // part: may_mark(x, n, $as_of)
        x.namespace = $namespace
        AND coalesce(coalesce(x.created_at, x.recorded_at) <= $as_of, true)
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        AND coalesce(x.trust, 2) >= coalesce(n.trust, 2)  // part: may_change(x, n)
        // end of part
        AND coalesce(s.trust, 3) >= coalesce(n.trust, 2)  // part: may_change(s, n, 3)
    WITH first, x ORDER BY x.created_at DESC, x.id DESC
    WITH first, head(collect(x)) AS x
    RETURN x.id ORDER BY coalesce(x.salience, 0.0) DESC, x.created_at DESC, x.id LIMIT 1
  }[0] END,
  contradicted_by: CASE WHEN marked THEN COLLECT {
    MATCH (n)<-[c:CONTRADICTS]-(x)
    WITH c, x, coalesce($as_of, datetime()) AS moment
    WHERE coalesce(c.created_at <= $as_of, true)
      AND
        // part: may_mark(x, n, $as_of)
        x.namespace = $namespace
        AND coalesce(coalesce(x.created_at, x.recorded_at) <= $as_of, true)
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        AND coalesce(x.trust, 2) >= coalesce(n.trust, 2)  // part: may_change(x, n)
        // end of part
        AND coalesce(c.trust, 3) >= coalesce(n.trust, 2)  // part: may_change(c, n, 3)
      AND CASE WHEN x:Thought THEN true ELSE
        x.valid_from <= moment AND x.valid_to > moment  // part: valid_at(x, moment)
        END
    RETURN x.id ORDER BY coalesce(c.cosine, 1.0) DESC, x.id LIMIT 1
  }[0] END,
  whole: CASE WHEN $whole THEN {
    embedded: p[slot] IS NOT NULL,
    merged: [(n)<-[:MERGED_INTO]-(merged:Entity) | merged {.id, .name, entity_type: coalesce(merged.entity_type, ''), .description, .data, .merged_at, .merged_by, reason: merged.merged_reason, observations: merged.merged_observations, relations: merged.merged_relations}],  // part: merged(n)
    learned_from: COLLECT {
      MATCH (n)-[:LEARNED_FROM]->(t:Thought)
      WHERE t.namespace = $namespace
        AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
      RETURN t.id
    },
    supersedes: [(n)-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id],
    superseded_by: [(n)<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace
      AND coalesce(later.trust, 2) >= coalesce(n.trust, 2)  // part: may_change(later, n)
      | later.id][0]
  } END
}]) AS nodes
