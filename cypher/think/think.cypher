// Thoughts, whole: what comes to mind, their links, their place in the chain, and themselves.
//
// One thought is a list of one; a batch is thought in its order, and a thought of it may follow an earlier one.
// Everything happens here or nothing does. Cypher has no SHA-256, so the caller hashed against the heads it last
// saw; the sessions are locked by a SET, their heads read after it, and on a mismatch nothing is written and the
// real heads returned for one more try (verdict "moved"). Memories, evidence, link targets and waiting thoughts
// are locked in one order (by id) before anything is created: any other shape deadlocks when many think of the
// same memories.
//
// What differs from thought to thought comes in $thoughts: the server plans a statement anew for every combination
// of parameter types, and this one takes a second to plan. A LIMIT inside SEARCH can be a parameter only.
//
// Verdicts: stored, exists (all ids are there already: the result of an earlier try), partial (some are), moved,
// embedding (the active slot holds another model's vectors); nothing is written but for "stored".
CYPHER 25
MATCH (database:LegacyMind {id: 'database'})
CALL () {
  UNWIND $thoughts AS new
  OPTIONAL MATCH (same:Thought {id: new.id})
  RETURN count(same) AS known
}
WITH CASE
    WHEN database.active_slot <> 'embedding_a' OR database.embedding_a_fingerprint <> $fingerprint THEN 'embedding'
    WHEN known = size($thoughts) THEN 'exists'
    WHEN known > 0 THEN 'partial'
    ELSE 'go'
  END AS early

// The chains: lock, then read.
CALL (early) {
  UNWIND $sessions AS seat
  WITH early, seat WHERE early = 'go'
  WITH seat ORDER BY seat.namespace, seat.session_id
  MERGE (s:Session {namespace: seat.namespace, id: seat.session_id})
  ON CREATE SET s.head_hash = seat.genesis, s.head_step = -1, s.created_at = seat.recorded_at
  SET s.lock = 0
  WITH s, seat
  RETURN count(CASE WHEN s.head_hash <> seat.prev_hash THEN 1 END) AS moved
}
WITH CASE WHEN early = 'go' AND moved > 0 THEN 'moved' ELSE early END AS verdict

UNWIND $thoughts AS new
CALL (verdict, new) {
  OPTIONAL MATCH (same:Thought {id: new.id}) WHERE verdict = 'exists'
  OPTIONAL MATCH (chain:Session {namespace: new.namespace, id: new.session_id})

  // Knowledge: the k nearest above the threshold; when nothing is, the nearest above the floor, marked as fallback.
  CALL (verdict, new) {
    WITH verdict, new WHERE verdict = 'go' AND new.knowledge_k > 0
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR new.vector
        WHERE n.namespace = new.namespace AND n.valid_from <= new.created_at AND n.valid_to > new.created_at
        LIMIT $knowledge_pool
      ) SCORE AS similarity
    // Neo4j's cosine score is (1 + cos) / 2.
    WITH n, 2 * similarity - 1 AS cosine ORDER BY cosine DESC, n.id
    WITH collect({node: n, cosine: cosine}) AS near
    WITH near[..new.knowledge_k] AS near
    WITH near, [m IN near WHERE m.cosine >= new.knowledge_threshold] AS passing
    RETURN [m IN CASE WHEN size(passing) > 0 THEN passing ELSE [f IN near WHERE f.cosine >= new.floor] END |
      {node: m.node, cosine: m.cosine, via: CASE WHEN size(passing) > 0 THEN 'vector' ELSE 'fallback' END}] AS knowledge
  }

  // Stuck: what solved the same error before. The playbooks of a namespace are few (see record_outcome.cypher).
  CALL (verdict, new) {
    WITH verdict, new WHERE verdict = 'go' AND new.playbooks_k > 0 AND new.error_signature IS NOT NULL
    MATCH (t:Thought) WHERE t.namespace = new.namespace AND t.playbook > 0.0
    WITH t ORDER BY t.playbook DESC, t.id
    WHERE t.created_at < new.created_at AND (t.is_private = false OR t.session_id = new.session_id)
      AND t.content IS NOT NULL AND NOT t.id IN new.linked
      AND EXISTS { (t)-[:SOLVES]->(problem:Thought) WHERE problem.error_signature = new.error_signature }
    WITH collect(t) AS solved
    RETURN [t IN solved[..new.playbooks_k] | {t: t, cosine: coalesce(2 * vector.similarity.cosine(t.embedding_a, new.vector) - 1, 0.0),
      relevance: 1.0, via: 'playbook'}] AS playbooks
  }

  // Thoughts: by meaning inside the window, this session's private ones when it has any, and from scale 3 by words.
  CALL (verdict, new, chain, playbooks) {
    WITH verdict, new, chain, playbooks WHERE verdict = 'go' AND new.thoughts_k > 0 AND size(playbooks) = 0
    CALL (new, chain) {
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR new.vector
          WHERE t.namespace = new.namespace AND t.is_private = false AND t.hot = true
            AND t.created_at >= new.since AND t.created_at < new.created_at
          LIMIT $pool
        ) SCORE AS similarity
      RETURN t, 2 * similarity - 1 AS cosine, null AS words
      UNION ALL
      WITH new, chain WHERE chain.has_private
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR new.vector
          WHERE t.namespace = new.namespace AND t.session_id = new.session_id AND t.is_private = true AND t.hot = true
            AND t.created_at >= new.since AND t.created_at < new.created_at
          LIMIT $pool
        ) SCORE AS similarity
      RETURN t, 2 * similarity - 1 AS cosine, null AS words
      UNION ALL
      WITH new WHERE new.ranked_k > 0
      CALL db.index.fulltext.queryNodes('thought_text', new.text_query, {limit: 2 * $pool}) YIELD node AS t, score
      WITH new, t, score
      WHERE t.namespace = new.namespace AND t.hot = true AND t.created_at >= new.since AND t.created_at < new.created_at
        AND (t.is_private = false OR t.session_id = new.session_id) AND t.content IS NOT NULL
      RETURN t, null AS cosine, score AS words LIMIT $pool
      UNION ALL
      UNWIND new.companions AS companion  // no index shows what this very transaction has written
      MATCH (t:Thought {id: companion.id})
      WHERE t.namespace = new.namespace AND t.created_at >= new.since AND t.created_at < new.created_at
        AND (t.is_private = false OR t.session_id = new.session_id)
      RETURN t, companion.cosine AS cosine, null AS words
    }
    WITH t, max(cosine) AS cosine, max(words) AS words
    RETURN collect({t: t, cosine: cosine, words: words}) AS found
  }
  // At scale 1 and 2 all above the threshold.
  WITH *, [f IN found WHERE new.ranked_k = 0 AND NOT f.t.id IN new.linked AND f.cosine >= new.thoughts_threshold |
    {t: f.t, cosine: f.cosine, relevance: f.cosine, via: new.via}] AS near
  CALL (new, found) {
    UNWIND found AS f
    WITH f WHERE f.words IS NOT NULL AND NOT f.t.id IN new.linked
    WITH f ORDER BY f.words DESC, f.t.id
    WITH collect(f.t.id) AS ids
    RETURN ids[..new.text_k] AS hits
  }
  // From scale 3 they and what stands beside are ranked together; besides all above the threshold the best of the
  // ranking come, whatever their cosine, if a word or the floor speaks for them, and the best by words.
  CALL (new, found, hits) {
    WITH new, found WHERE new.ranked_k > 0
    UNWIND found AS f
    WITH new, f.t AS c, f.cosine AS cosine, f.words AS words
    CALL (new, c, cosine, words) {
      RETURN c AS t, cosine AS d, words AS w
      UNION ALL
      MATCH (c)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
      WITH t LIMIT 8  // before the conditions: else the planner begins at an index of time, and reads all of it
      WHERE t.namespace = new.namespace AND t.hot = true AND t.created_at >= new.since AND t.created_at < new.created_at
        AND (t.is_private = false OR t.session_id = new.session_id) AND t.content IS NOT NULL
      RETURN t, null AS d, null AS w
    }
    WITH t, max(d) AS d, max(w) AS w
    WITH collect({t: t, d: d, w: w}) AS candidates
    // ranking begins: the same lines rank what think recalls, and a test holds them together.
    UNWIND candidates AS c
    WITH c.t AS t, coalesce(c.d, 2 * vector.similarity.cosine(c.t.embedding_a, new.vector) - 1, 0.0) AS d, c.w AS w
    WITH collect({t: t, d: d, w: w}) AS rows, toFloat(count(*)) AS n, avg(d) AS d_mean, stDevP(d) AS d_sd,
      coalesce(min(w) / 2, 0.0) AS low, count(w) AS w_n, sum(w) AS w_sum, sum(w * w) AS w_squares,
      sum(d * w) AS dw_sum, sum(CASE WHEN w IS NULL THEN d ELSE 0.0 END) AS d_silent
    // Whoever was not found by its words gets half the lowest hit: nothing would punish a missed synonym twice.
    WITH rows, d_mean, CASE WHEN d_sd > 1e-9 THEN d_sd ELSE 1.0 END AS d_sd, low,
      (w_sum + (n - w_n) * low) / n AS w_mean, (w_squares + (n - w_n) * low * low) / n AS w_square,
      (dw_sum + d_silent * low) / n AS dw_mean
    WITH *, CASE WHEN w_square - w_mean ^ 2 > 1e-12 THEN sqrt(w_square - w_mean ^ 2) ELSE 1.0 END AS w_sd
    // The standard deviation of the sum of two standardised variables: sqrt(2 + 2 r).
    WITH *, 2 + 2 * (dw_mean - d_mean * w_mean) / (d_sd * w_sd) AS variance
    WITH *, CASE WHEN variance > 1e-9 THEN sqrt(variance) ELSE 1.0 END AS both_sd
    UNWIND rows AS r
    WITH r.t AS t, r.d AS d, r.w AS w, d_mean, d_sd, (r.d - d_mean) / d_sd AS zd,
      (coalesce(r.w, low) - w_mean) / w_sd AS zw, both_sd,
      size(r.t.content) < 120 AND right(rtrim(r.t.content), 1) = '?' AS asks
    WITH coalesce(t.session_id, t.id) AS sid, collect({t: t, d: d, w: w, zd: zd, zw: zw, b: (zd + zw) / both_sd,
      asks: asks, d_mean: d_mean, d_sd: d_sd}) AS members, max((zd + zw) / both_sd) AS best
    UNWIND members AS r
    // Each tells its neighbours how good it is; to what follows a question it tells it twice.
    CALL (r, best) {
      RETURN r.t AS t, r AS own, best AS session, null AS beside, null AS asked
      UNION ALL
      WITH r.t AS c, r.b AS b, r.asks AS asks
      MATCH (c)-[link:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
      RETURN t, null AS own, null AS session, b AS beside, CASE WHEN asks AND startNode(link) = t THEN b END AS asked
      LIMIT 8
    }
    WITH t, head(collect(own)) AS r, max(session) AS session, coalesce(max(beside), -0.5) AS beside,
      coalesce(max(asked), 0.0) AS asked
    WHERE r IS NOT NULL
    WITH collect({t: t, r: r, session: session, beside: beside, asked: asked}) AS rows,
      avg(session) AS session_mean, stDevP(session) AS session_sd, avg(beside) AS beside_mean, stDevP(beside) AS beside_sd,
      collect(DISTINCT CASE
        WHEN toLower(t.author) IN new.request.names OR split(toLower(t.author), ' ')[0] IN new.request.names THEN t.author
      END) AS named
    UNWIND rows AS row
    WITH row.t AS t, row.r AS r, new.request AS q, {
        meaning: 0.5 * row.r.zd,
        words: 0.25 * row.r.zw,
        // Bounded: one rare word must not lift a whole session over what means the same.
        session: CASE WHEN session_sd <= 1e-9 THEN 0.0 WHEN row.session > session_mean + 2.5 * session_sd THEN 1.25
          ELSE 0.5 * (row.session - session_mean) / session_sd END,
        beside: CASE WHEN beside_sd <= 1e-9 THEN 0.0 WHEN row.beside > beside_mean + 2.5 * beside_sd THEN 0.75
          ELSE 0.3 * (row.beside - beside_mean) / beside_sd END,
        answer: 0.2 * row.asked,
        question: CASE WHEN row.r.asks THEN -1.0 ELSE 0.0 END,
        author: CASE WHEN size(named) = 1 AND row.t.author = named[0] THEN 1.5 ELSE 0.0 END
      } AS parts, row.t.created_at AS at
    WITH t, r, parts,
      CASE
        WHEN at.ordinalDay >= q.day - 3 AND at.ordinalDay <= q.day + 3 AND (q.years = [] OR at.year IN q.years) THEN 3.0
        WHEN at.month IN q.months AND (q.years = [] OR at.year IN q.years) THEN 2.0
        WHEN q.months = [] AND at.year IN q.years THEN 0.6
        WHEN any(span IN q.spans WHERE at >= span[0] AND at < span[1]) THEN 2.0
        ELSE 0.0
      END AS date,
      CASE WHEN q.asks_when AND left(t.content, 600) =~ q.time_pattern THEN 1.5 ELSE 0.0 END AS time
    WITH t, r, parts, date, time, parts.meaning + parts.words + parts.session + parts.beside + parts.answer
      + parts.question + parts.author + date + time AS total
    // 1.55 is the sum of the four weights: a score is the cosine that would stand as far above the candidates' mean.
    // Rounded, since sums differ with the order of their addends and ties would with them.
    WITH t, r.d AS cosine, r.w AS words, round(r.d_mean + r.d_sd * total / 1.55, 6) AS score, parts {.*, date: date, time: time} AS parts
    ORDER BY score DESC, t.id
    // ranking ends
    WITH t, cosine, words, score WHERE NOT t.id IN new.linked
    WITH collect({t: t, cosine: cosine, words: words, score: score}) AS ranked
    RETURN [place IN range(0, size(ranked) - 1)
      WHERE ranked[place].cosine >= new.thoughts_threshold OR ranked[place].t.id IN hits
        OR (place < new.ranked_k AND (ranked[place].words IS NOT NULL OR ranked[place].cosine >= new.floor)) |
      {t: ranked[place].t, cosine: ranked[place].cosine,
       relevance: CASE WHEN ranked[place].score > 1.0 THEN 1.0 ELSE ranked[place].score END,
       via: CASE WHEN ranked[place].cosine >= new.thoughts_threshold THEN 'vector'
                 WHEN ranked[place].words IS NOT NULL THEN 'fulltext' ELSE 'graph' END}] AS best
  }

  // Sideways from the eight strongest: what was related by somebody, near or not. A hop takes a fifth of the
  // relevance; what contradicts a memory counts as much as the memory. Hubs are bounded at sixteen.
  CALL (verdict, new, knowledge, playbooks, near, best) {
    WITH verdict, new, knowledge, playbooks, near, best WHERE verdict = 'go' AND size(new.lateral_types) > 0
    UNWIND [m IN knowledge[..3] | {n: m.node, relevance: m.cosine}]
      + [m IN playbooks + near + best | {n: m.t, relevance: m.relevance}] AS source
    WITH source ORDER BY source.relevance DESC LIMIT 8
    CALL (new, source) {
      WITH new, source, source.n AS from
      MATCH (from)-[link:ASSOCIATES|REFERENCES|CONTRADICTS]-(n)
      WHERE type(link) IN new.lateral_types
      RETURN n, type(link) AS kind LIMIT 16
    }
    CALL (new, source, n, kind) {
      RETURN n AS m, source.relevance * CASE kind WHEN 'CONTRADICTS' THEN 1.0 ELSE 0.8 END AS relevance,
        CASE kind WHEN 'CONTRADICTS' THEN 'contradiction' ELSE 'lateral' END AS via
      UNION ALL
      WITH new, source, n, kind WHERE new.hops > 1 AND kind <> 'CONTRADICTS'
      MATCH (n)-[:ASSOCIATES|REFERENCES]-(m)
      RETURN m, source.relevance * 0.64 AS relevance, 'lateral' AS via LIMIT 16
    }
    WITH m, max(relevance) AS relevance, min(via) AS via
    WHERE m.namespace = new.namespace AND m.id <> new.id AND NOT m.id IN new.linked
      AND NOT m.id IN [k IN knowledge | k.node.id] + [k IN playbooks + near + best | k.t.id]
      AND CASE WHEN m:Thought
        THEN m.hot AND m.created_at < new.created_at AND m.content IS NOT NULL AND (m.is_private = false OR m.session_id = new.session_id)
        ELSE m.valid_from <= new.created_at AND m.valid_to > new.created_at END
    WITH m, relevance, via,
      coalesce(2 * vector.similarity.cosine(m.embedding_a, new.vector) - 1, 0.0) AS cosine
    ORDER BY relevance DESC, cosine DESC, m.id
    WITH collect({n: m, cosine: cosine, relevance: CASE WHEN cosine > relevance THEN cosine ELSE relevance END, via: via}) AS found
    RETURN [f IN found WHERE f.n:Thought | {t: f.n, cosine: f.cosine, relevance: f.relevance, via: f.via}] AS beside,
      [f IN found WHERE NOT f.n:Thought | {node: f.n, cosine: f.cosine, via: f.via}][..5] AS related
  }

  // A submode's favour decides between those that are within two hundredths of each other.
  CALL (new, knowledge, related) {
    UNWIND knowledge + related AS m
    WITH m, m.node AS n
    WITH m, n, coalesce(left(coalesce(n.content, n.name + ' ' + coalesce(n.description, '')), 2000) =~ new.tie_break_pattern, false) AS tie_break
    RETURN collect({node: n, cosine: m.cosine, score: m.cosine, similarity: m.cosine,
      recency: 0.0, salience: 0.0, access: 0.0, contradiction: 0.0, via: m.via, tie_break: tie_break}) AS facts
  }
  CALL (new, playbooks, near, best, beside) {
    UNWIND playbooks + near + best + beside AS r
    WITH r, r.t AS t
    WITH t, r.cosine AS cosine, r.via AS via,
      new.w_similarity * r.relevance AS similarity,
      new.w_recency * exp(-(new.created_at.epochSeconds - t.created_at.epochSeconds) / new.tau) AS recency,
      new.w_salience * coalesce(t.salience, t.significance, 0.5) AS salience,
      new.w_access * CASE WHEN t.access_count >= 100 THEN 1.0 ELSE log(1 + coalesce(t.access_count, 0)) / log(101) END AS access,
      new.w_contradiction * COUNT { (t)<-[:CONTRADICTS]-() } AS contradiction
    WITH *, similarity + recency + salience + access + contradiction AS score
    WITH *, round(score * 50) AS step, CASE new.tie_break_name
        WHEN 'contrarian' THEN EXISTS { (t)-[:CONTRADICTS]-() }
        WHEN 'emotional' THEN abs(coalesce(t.emotional_weight, 0.0)) >= 0.3
        WHEN 'solution' THEN EXISTS { (t)-[:SOLVES]->() }
        ELSE false
      END OR coalesce(left(t.content, 2000) =~ new.tie_break_pattern, false) AS tie_break
    ORDER BY step DESC, tie_break DESC, score DESC, t.id
    RETURN collect({node: t, cosine: cosine, score: score, similarity: similarity, recency: recency,
      salience: salience, access: access, contradiction: contradiction, via: via, tie_break: tie_break}) AS scored
  }

  // The hypothesis: what of the nearest knowledge speaks for it and what, by its own words, against it.
  CALL (verdict, new) {
    WITH verdict, new WHERE verdict = 'go' AND new.hypothesis_test IS NOT NULL
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR new.hypothesis_test.vector
        WHERE n.namespace = new.namespace AND n.valid_from <= new.created_at AND n.valid_to > new.created_at
        LIMIT $evidence_pool
      ) SCORE AS similarity
    WITH n, 2 * similarity - 1 AS cosine ORDER BY cosine DESC, n.id
    WITH collect({node: n, cosine: cosine}) AS pool
    WITH [e IN pool[..new.hypothesis_test.top_k] WHERE e.cosine >= new.hypothesis_test.min_cosine |
      e {.*, against: coalesce(e.node.content, e.node.name + ': ' + coalesce(e.node.description, '')) =~ new.hypothesis_test.pattern}] AS evidence
    WITH [e IN evidence WHERE NOT e.against] AS supporting, [e IN evidence WHERE e.against] AS contradicting
    RETURN size(supporting) AS supports, size(contradicting) AS contradicts,
      // A slice by null is null, and a null list would leave everything unlocked below.
      coalesce(supporting[..new.hypothesis_test.limit] + contradicting[..new.hypothesis_test.limit], []) AS evidence
  }

  // What the links point to, and who waits for this very id.
  CALL (verdict, new) {
    UNWIND new.links AS link
    OPTIONAL MATCH (target:Thought {id: link.id}) WHERE verdict = 'go' AND target.namespace = new.namespace
    RETURN collect({name: link.name, type: link.type, id: link.id, target: target}) AS links
  }
  CALL (verdict, new) {
    OPTIONAL MATCH (:Pending {namespace: new.namespace, id: new.id})<-[wait:AWAITS]-(waiting:Thought) WHERE verdict = 'go'
    RETURN [w IN collect({type: wait.type, node: waiting}) WHERE w.node IS NOT NULL] AS waits
  }
  // The strongest, and the best by words even where there are stronger ones: a rare name is said for a reason.
  CALL (new, facts, scored, hits) {
    UNWIND facts + scored[..new.thoughts_k] + [m IN scored[new.thoughts_k..] WHERE m.node.id IN hits] AS memory
    WITH memory ORDER BY round(memory.score * 50) DESC, memory.tie_break DESC, memory.score DESC, memory.node.id
    WITH collect(memory) AS ordered
    RETURN [i IN range(0, size(ordered) - 1) | {memory: ordered[i], rank: i + 1}] AS ranked
  }
  CALL (ranked, evidence, links, waits) {
    UNWIND [r IN ranked | r.memory.node] + [e IN evidence | e.node]
      + [l IN links WHERE l.target IS NOT NULL | l.target] + [w IN waits | w.node] AS n
    WITH DISTINCT n ORDER BY n.id
    SET n.lock = 0
    RETURN count(n) AS locked
  }

  // Itself.
  OPTIONAL CALL (verdict, new, chain, links, waits, ranked, evidence, supports, contradicts) {
    WITH * WHERE verdict = 'go'
    CREATE (t:Thought)
    SET t = new.properties
    SET t.injected_memories = [r IN ranked |
          toString(r.rank) + ' ' + toString(round(r.memory.score, 4)) + ' ' + r.memory.node.id],
        t.enriched_content =
          CASE WHEN new.submode IS NULL OR size(ranked) = 0 THEN '' ELSE 'Submode: ' + new.submode + '\n' END
          + reduce(text = CASE WHEN any(r IN ranked WHERE NOT r.memory.node:Thought) THEN 'Nearby entities:\n' ELSE '' END,
              r IN [r IN ranked WHERE NOT r.memory.node:Thought][..5] |
              text + '- (' + left(toString(round(r.memory.cosine, 2)) + '00', 4) + ') '
                + coalesce(r.memory.node.name, left(r.memory.node.content, 200))
                + CASE WHEN coalesce(r.memory.node.entity_type, '') = '' THEN '\n'
                       ELSE ' [' + r.memory.node.entity_type + ']\n' END)
          + reduce(text = CASE WHEN any(r IN ranked WHERE r.memory.node:Thought) THEN 'Earlier thoughts:\n' ELSE '' END,
              r IN [r IN ranked WHERE r.memory.node:Thought][..3] |
              text + '- (' + left(toString(round(r.memory.score, 2)) + '00', 4) + ') '
                + left(coalesce(r.memory.node.content, ''), 200) + '\n')
    FOREACH (_ IN CASE WHEN new.hypothesis_test.persist THEN [1] ELSE [] END |
      SET t.verification = [e IN evidence |
            CASE WHEN e.against THEN 'contradicts ' ELSE 'supports ' END + toString(round(e.cosine, 4)) + ' ' + e.node.id],
          t.verification_supports = supports, t.verification_contradicts = contradicts)
    FOREACH (e IN [e IN evidence WHERE new.hypothesis_test.persist AND NOT e.against] |
      FOREACH (n IN [e.node] | CREATE (n)-[:REINFORCES {similarity: e.cosine, created_at: new.recorded_at}]->(t)))
    FOREACH (e IN [e IN evidence WHERE new.hypothesis_test.persist AND e.against] |
      FOREACH (n IN [e.node] | CREATE (n)-[:CONTRADICTS {similarity: e.cosine, created_at: new.recorded_at}]->(t)))
    CALL (t, new) {
      WITH t, new WHERE new.vector IS NOT NULL  // null while the embedder is down
      CALL db.create.setNodeVectorProperty(t, 'embedding_a', new.vector)
    }
    FOREACH (_ IN CASE WHEN new.session_id IS NULL THEN [] ELSE [1] END |
      CREATE (t)-[:IN_SESSION]->(chain)
      SET chain.head_hash = new.properties.chain_hash, chain.head_step = new.properties.step_index,
          chain.head_id = new.id, chain.head_key_id = new.properties.key_id,
          chain.has_private = coalesce(chain.has_private, false) OR new.properties.is_private)
    FOREACH (_ IN CASE WHEN new.properties.action_id IS NULL THEN [] ELSE [1] END |
      MERGE (action:Action {namespace: new.namespace, id: new.properties.action_id})
      ON CREATE SET action.created_at = new.recorded_at
      CREATE (t)-[:FOR_ACTION]->(action))
    CALL (t, links) {
      UNWIND links AS link
      WITH t, link WHERE link.target IS NOT NULL
      WITH t, link, link.target AS target
      CREATE (t)-[:$(link.type)]->(target)
    }
    CALL (t, new, links) {
      UNWIND links AS link
      WITH t, new, link WHERE link.target IS NULL
      MERGE (p:Pending {namespace: new.namespace, id: link.id})
      CREATE (t)-[:AWAITS {type: link.type}]->(p)
    }
    CALL (t, waits) {
      UNWIND waits AS wait
      WITH t, wait, wait.node AS waiting
      CREATE (waiting)-[:$(wait.type)]->(t)
    }
    CALL (new, waits) {
      WITH new, waits WHERE size(waits) > 0
      MATCH (p:Pending {namespace: new.namespace, id: new.id})
      DETACH DELETE p
    }
    // Every memory is counted; of the thoughts only the strongest keep a relationship.
    CALL (t, new, ranked) {
      WITH t, new, ranked, [r IN ranked WHERE r.memory.node:Thought][..$recalls_cap] AS kept
      WITH t, new, ranked, CASE WHEN size(kept) = 0 THEN 0 ELSE kept[-1].rank END AS last
      UNWIND ranked AS r
      WITH t, new, r, last, r.memory AS m, r.memory.node AS node
      SET node.access_count = coalesce(node.access_count, 0) + 1, node.last_accessed = new.recorded_at
      WITH * WHERE r.rank <= last OR NOT node:Thought
      CREATE (t)-[:RECALLS {rank: r.rank, score: m.score, cosine: m.cosine, similarity: m.similarity,
        recency: m.recency, salience: m.salience, access: m.access, contradiction: m.contradiction,
        weight: m.score, via: m.via, mode: new.properties.mode, scale: new.properties.injection_scale,
        created_at: new.recorded_at, last_accessed: new.recorded_at}]->(node)
    }
    RETURN t AS stored
  }

  // An earlier try's result is read back from what it stored: lines of "rank score id" and "verdict similarity id".
  CALL (same) {
    UNWIND same.injected_memories AS line
    WITH same, split(line, ' ') AS words, line
    MATCH (node:Thought|Entity|Observation {id: substring(line, size(words[0]) + size(words[1]) + 2), namespace: same.namespace})
    OPTIONAL MATCH (same)-[r:RECALLS]->(node)
    WITH words, node, r ORDER BY toInteger(words[0])
    RETURN collect({rank: toInteger(words[0]), memory: coalesce(r {.*, node: node}, {node: node, score: toFloat(words[1]), via: 'pruned'})}) AS earlier
  }
  CALL (same) {
    UNWIND same.verification AS line
    WITH same, split(line, ' ') AS words, line
    MATCH (node:Entity|Observation {id: substring(line, size(words[0]) + size(words[1]) + 2), namespace: same.namespace})
    RETURN collect({node: node, cosine: toFloat(words[1]), against: words[0] = 'contradicts'}) AS tested
  }
  WITH new, chain, links, stored, same,
    CASE verdict WHEN 'exists' THEN earlier ELSE ranked END AS shown,
    CASE verdict WHEN 'exists' THEN tested ELSE evidence END AS evidence,
    CASE WHEN same IS NOT NULL THEN {supports: same.verification_supports, contradicts: same.verification_contradicts}
         WHEN new.hypothesis_test IS NULL THEN {}
         ELSE {supports: supports, contradicts: contradicts} END AS verified
  RETURN
    CASE WHEN chain IS NULL THEN null
      ELSE {hash: chain.head_hash, step: chain.head_step, thought_id: chain.head_id, key_id: chain.head_key_id} END AS head,
    [l IN links | {name: l.name, id: l.id, found: l.target IS NOT NULL}] AS links,
    [s IN shown | {
      id: s.memory.node.id,
      kind: toLower([x IN labels(s.memory.node) WHERE x IN ['Thought', 'Entity', 'Observation']][0]),
      text: CASE WHEN s.memory.node:Entity
        THEN s.memory.node.name + coalesce(': ' + left(s.memory.node.description, 400), '')
        ELSE left(coalesce(s.memory.node.content, ''), 400) END,
      score: s.memory.score, rank: s.rank, cosine: s.memory.cosine, via: s.memory.via,
      created_at: coalesce(s.memory.node.created_at, s.memory.node.recorded_at), author: s.memory.node.author,
      parts: {similarity: s.memory.similarity, recency: s.memory.recency, salience: s.memory.salience,
              access: s.memory.access, contradiction: s.memory.contradiction}
    }] AS memories,
    CASE WHEN verified.supports IS NULL THEN null ELSE verified {.*,
      evidence: [e IN evidence | {
        id: e.node.id, kind: CASE WHEN e.node:Entity THEN 'entity' ELSE 'observation' END,
        text: left(coalesce(e.node.content, e.node.name + coalesce(': ' + e.node.description, '')), 400),
        similarity: e.cosine, against: e.against}]
    } END AS verification,
    CASE WHEN same IS NULL THEN stored {.enriched_content}
      ELSE same {.*, embedding_a: null, embedding_b: null, awaits: [(same)-[:AWAITS]->(p) | p.id]} END AS stored
}
RETURN CASE verdict WHEN 'go' THEN 'stored' ELSE verdict END AS verdict, new.id AS id, head, links, memories, verification, stored
