// Reads one thought, observation or entity with everything that is stored about it but its vector. A private thought is
// read in its own session only. The id of a merged node leads to the one that it was merged into. Unless $any_time, the
// thought must have existed at $now, and knowledge must be valid then. $start and $text_length cut a part out of the
// text; length is that of the whole text.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param now => datetime();
:param any_time => true;
:param start => 0;
:param text_length => 100000;
CYPHER 25
OPTIONAL MATCH (named:Thought|Entity|Observation {id: $id, namespace: $namespace})
WHERE (named.is_private = false OR named.session_id = $own_session OR NOT named:Thought) AND coalesce(named.expires_at > datetime(), true)  // part: visible_node(named)
WITH
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  AS n
WITH CASE
  WHEN $any_time THEN n
  WHEN n:Thought
    AND coalesce(n.created_at <= $now, true)  // part: existed(n, $now)
  THEN n
  WHEN NOT n:Thought
    AND n.valid_from <= $now AND n.valid_to > $now  // part: valid_at(n, $now)
  THEN n
END AS n
// Content that something else has written may be no text.
WITH n, toStringOrNull(CASE WHEN n:Entity THEN n.description ELSE n.content END) AS text
RETURN
  n.id AS id,
  substring(text, $start, $text_length) AS text,
  size(text) AS length,
  n[COLLECT { MATCH (d:LegacyMind {id: 'database'}) RETURN d.active_slot }[0]] IS NOT NULL AS embedded,
  n {
    outside_chain: NOT coalesce(n.chained = true, n.session_id IS NULL),  // part: in_chain(n)
    // part: revised_by(n)
    revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
      x IN [(n)<-[:REVISES*1..8]-(revision) | revision]
      WHERE x.namespace = $namespace
        AND CASE WHEN x:Thought
          THEN
            x.content IS :: STRING NOT NULL  // part: not_redacted(x)
            AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
            AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
          ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
    // end of part
    // part: contradicted_by(n, $now)
    contradicted_by: reduce(strongest = [-2.0, null], c IN [
      c IN [(n)<-[link:CONTRADICTS]-(x) | {
        node: x, cosine: coalesce(link.cosine, 1.0),
        in_chain: coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
      }]
      WHERE c.node.namespace = $namespace
        AND CASE WHEN c.node:Thought
          THEN
            c.node.content IS :: STRING NOT NULL  // part: not_redacted(c.node)
            AND CASE c.node.is_private WHEN false THEN true ELSE c.node.session_id = $own_session END AND coalesce(c.node.expires_at > datetime(), true)  // part: visible(c.node, $own_session)
            AND c.in_chain
          ELSE
            c.node.valid_from <= $now AND c.node.valid_to > $now  // part: valid_at(c.node, $now)
          END | [c.cosine, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
    // end of part
    // part: solved_by(n)
    solved_by: reduce(best = [-1.0, datetime('0001-01-01'), null], solution IN [
      s IN [(n)<-[:REVISES*0..8]-()<-[:SOLVES]-(first) | reduce(latest = null, x IN [
        x IN [(first)<-[:REVISES*0..8]-(version) | version]
        WHERE x.namespace = $namespace
          AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
          AND x.hot = true  // part: hot(x)
          AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        ] | CASE WHEN latest IS NULL OR x.created_at > latest.created_at THEN x ELSE latest END)]
      WHERE s IS NOT NULL | [coalesce(s.salience, 0.0), s.created_at, s.id]] | CASE WHEN solution > best THEN solution ELSE best END)[2],
    // end of part
    kind: toLower([label IN labels(n) WHERE label IN ['Thought', 'Entity', 'Observation']][0])  // part: kind(n)
  } AS marks,
  CASE
    WHEN n:Thought THEN n {
      // part: members(ThoughtMembers)
      .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience,
      .hypothesis, .verification_supports, .verification_contradicts, .is_private, .pinned, .hot, .standing,
      .session_id, .chain_id, .context_id, .action_id, .previous_thought_id, .revises_thought, .branch_from,
      .parent_id, .step_index, .created_at, .recorded_at, .expires_at, .access_count, .last_accessed,
      .outcome_score, .emotional_weight, .error_signature, .injection_scale, .mass, .redacts, .redacted_at,
      .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
      // end of part
      .framework_analysis
    }
    WHEN n:Observation THEN n {
      // part: members(ObservationMembers)
      .source, .standing, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
      // end of part
      entity: [(n)-[:ABOUT]->(e:Entity) WHERE e.namespace = $namespace | e {.id, .name, .entity_type}][0],
      learned_from: [(n)-[:LEARNED_FROM]->(t:Thought) WHERE t.namespace = $namespace | t.id],
      supersedes: [(n)-[:REVISES]->(old:Observation) WHERE old.namespace = $namespace | old.id]
    }
    WHEN n:Entity THEN n {
      // part: members(EntityMembers)
      .id, .name, .entity_type, .aliases, .description, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
      // end of part
      .data
    }
  END AS members,
  CASE WHEN NOT n:Entity THEN [] ELSE
    [(n)<-[:MERGED_INTO]-(merged:Entity) | merged {.id, .name, .entity_type, .description, .data, .merged_at, .merged_by, .merged_reason, .merged_observations, .merged_relations}]  // part: merged(n)
  END AS merged
