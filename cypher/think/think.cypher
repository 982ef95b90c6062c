// One thought, whole: what comes to mind, its links, its place in the chain, and itself.
//
// Everything happens here or nothing does. Cypher has no SHA-256, so the caller hashed against the head it last
// saw; the session is locked by a SET, the head read after it, and on a mismatch nothing is written and the real
// head returned for one more try (verdict "moved"). Memories, link targets and waiting thoughts are locked in
// one order (by id) before anything is created: any other shape deadlocks when many think of the same memories.
//
// What may be null or empty comes in one map, $optional: the server plans a statement anew for every combination
// of parameter types, and this one takes a second to plan.
//
// Verdicts: stored, exists (this id is there already: the result of an earlier try), moved, embedding (the active
// slot holds another model's vectors), and nothing is written but for "stored".
CYPHER 25
MATCH (database:LegacyMind {id: 'database'})
OPTIONAL MATCH (same:Thought {id: $id})
OPTIONAL MATCH (known:Session {namespace: $namespace, id: $optional.session_id})
WITH same, known,
  CASE
    WHEN database.active_slot <> 'embedding_a' OR database.embedding_a_fingerprint <> $fingerprint THEN 'embedding'
    WHEN same IS NOT NULL THEN 'exists'
    WHEN $optional.session_id IS NOT NULL AND coalesce(known.head_hash, $optional.genesis) <> $optional.prev_hash THEN 'moved'
    ELSE 'go'
  END AS early

// Knowledge: the k nearest above the threshold; when nothing is, the nearest above the floor, marked as fallback.
CALL (early) {
  WITH early WHERE early = 'go' AND $knowledge_k > 0
  MATCH (n:Entity|Observation)
    SEARCH n IN (
      VECTOR INDEX knowledge_embedding_a FOR $vector
      WHERE n.namespace = $namespace AND n.valid_from <= $created_at AND n.valid_to > $created_at
      LIMIT $knowledge_k
    ) SCORE AS similarity
  // Neo4j's cosine score is (1 + cos) / 2.
  WITH n, 2 * similarity - 1 AS cosine ORDER BY cosine DESC, n.id
  WITH collect({node: n, cosine: cosine}) AS near
  WITH near, [m IN near WHERE m.cosine >= $knowledge_threshold] AS passing
  RETURN [m IN CASE WHEN size(passing) > 0 THEN passing ELSE [f IN near WHERE f.cosine >= $floor] END |
    {node: m.node, cosine: m.cosine, score: m.cosine, similarity: m.cosine,
     recency: 0.0, salience: 0.0, access: 0.0, contradiction: 0.0,
     via: CASE WHEN size(passing) > 0 THEN 'vector' ELSE 'fallback' END}] AS knowledge
}

// Thoughts at scale 1 and 2: by meaning inside the window, and this session's private ones when it has any.
CALL (early, known) {
  WITH early, known WHERE early = 'go' AND $thoughts_k > 0 AND $best = 0
  CALL (known) {
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace AND t.is_private = false AND t.hot = true
          AND t.created_at >= $since AND t.created_at < $created_at
        LIMIT $pool
      ) SCORE AS similarity
    RETURN t, 2 * similarity - 1 AS cosine
    UNION ALL
    WITH known WHERE known.has_private
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace AND t.session_id = $optional.session_id AND t.is_private = true AND t.hot = true
          AND t.created_at >= $since AND t.created_at < $created_at
        LIMIT $pool
      ) SCORE AS similarity
    RETURN t, 2 * similarity - 1 AS cosine
  }
  WITH t, cosine WHERE NOT t.id IN $optional.linked AND cosine >= $thoughts_threshold
  RETURN collect({t: t, cosine: cosine, relevance: cosine, via: 'vector'}) AS near
}
// From scale 3: by meaning, by words and by what stands beside, ranked together; besides all above the threshold
// the best of the ranking come, whatever their cosine, if a word or the floor speaks for them.
CALL (early, known) {
  WITH early, known WHERE early = 'go' AND $thoughts_k > 0 AND $best > 0
  CALL (known) {
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace AND t.is_private = false AND t.hot = true
          AND t.created_at >= $since AND t.created_at < $created_at
        LIMIT $pool
      ) SCORE AS similarity
    RETURN t, 2 * similarity - 1 AS cosine, null AS words
    UNION ALL
    WITH known WHERE known.has_private
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace AND t.session_id = $optional.session_id AND t.is_private = true AND t.hot = true
          AND t.created_at >= $since AND t.created_at < $created_at
        LIMIT $pool
      ) SCORE AS similarity
    RETURN t, 2 * similarity - 1 AS cosine, null AS words
    UNION ALL
    CALL db.index.fulltext.queryNodes('thought_text', $words, {limit: 2 * $pool}) YIELD node AS t, score
    WITH t, score
    WHERE t.namespace = $namespace AND t.hot = true AND t.created_at >= $since AND t.created_at < $created_at
      AND (t.is_private = false OR t.session_id = $optional.session_id) AND t.content IS NOT NULL
    RETURN t, null AS cosine, score AS words LIMIT $pool
  }
  WITH t AS c, max(cosine) AS cosine, max(words) AS words
  CALL (c, cosine, words) {
    RETURN c AS t, cosine AS d, words AS w
    UNION ALL
    MATCH (c)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
    WITH t LIMIT 8  // before the conditions: else the planner begins at an index of time, and reads all of it
    WHERE t.namespace = $namespace AND t.hot = true AND t.created_at >= $since AND t.created_at < $created_at
      AND (t.is_private = false OR t.session_id = $optional.session_id) AND t.content IS NOT NULL
    RETURN t, null AS d, null AS w
  }
  WITH t, max(d) AS d, max(w) AS w
  WITH collect({t: t, d: d, w: w}) AS candidates
  // ranking begins: the same lines rank what think recalls, and a test holds them together.
  UNWIND candidates AS c
  WITH c.t AS t, coalesce(c.d, 2 * vector.similarity.cosine(c.t.embedding_a, $vector) - 1, 0.0) AS d, c.w AS w
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
      WHEN toLower(t.author) IN $question.names OR split(toLower(t.author), ' ')[0] IN $question.names THEN t.author
    END) AS named
  UNWIND rows AS row
  WITH row.t AS t, row.r AS r, $question AS q, {
      meaning: 0.5 * row.r.zd,
      words: 0.25 * row.r.zw,
      session: CASE WHEN session_sd > 1e-9 THEN 0.5 * (row.session - session_mean) / session_sd ELSE 0.0 END,
      beside: CASE WHEN beside_sd > 1e-9 THEN 0.3 * (row.beside - beside_mean) / beside_sd ELSE 0.0 END,
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
    CASE WHEN q.when AND left(t.content, 600) =~ q.time THEN 1.5 ELSE 0.0 END AS time
  WITH t, r, parts, date, time, parts.meaning + parts.words + parts.session + parts.beside + parts.answer
    + parts.question + parts.author + date + time AS total
  // 1.55 is the sum of the four weights: a score is the cosine that would stand as far above the candidates' mean.
  // Rounded, since sums differ with the order of their addends and ties would with them.
  WITH t, r.d AS cosine, r.w AS words, round(r.d_mean + r.d_sd * total / 1.55, 6) AS score, parts {.*, date: date, time: time} AS parts
  ORDER BY score DESC, t.id
  // ranking ends
  WITH t, cosine, words, score WHERE NOT t.id IN $optional.linked
  WITH collect({t: t, cosine: cosine, words: words, score: score}) AS ranked
  RETURN [place IN range(0, size(ranked) - 1)
    WHERE ranked[place].cosine >= $thoughts_threshold
      OR (place < $best AND (ranked[place].words IS NOT NULL OR ranked[place].cosine >= $floor)) |
    {t: ranked[place].t, cosine: ranked[place].cosine,
     relevance: CASE WHEN ranked[place].score > 1.0 THEN 1.0 ELSE ranked[place].score END,
     via: CASE WHEN ranked[place].cosine >= $thoughts_threshold THEN 'vector'
               WHEN ranked[place].words IS NOT NULL THEN 'fulltext' ELSE 'graph' END}] AS best
}
CALL (near, best) {
  UNWIND near + best AS r
  WITH r, r.t AS t
  WITH t, r.cosine AS cosine, r.via AS via,
    $w_similarity * r.relevance AS similarity,
    $w_recency * exp(-($created_at.epochSeconds - t.created_at.epochSeconds) / $tau) AS recency,
    $w_salience * coalesce(t.salience, t.significance, 0.5) AS salience,
    $w_access * CASE WHEN t.access_count >= 100 THEN 1.0 ELSE log(1 + coalesce(t.access_count, 0)) / log(101) END AS access,
    -0.1 * COUNT { (t)<-[:CONTRADICTS]-() } AS contradiction
  WITH *, similarity + recency + salience + access + contradiction AS score
  ORDER BY score DESC, t.id LIMIT $thoughts_k
  RETURN collect({node: t, cosine: cosine, score: score, similarity: similarity, recency: recency,
    salience: salience, access: access, contradiction: contradiction, via: via}) AS thoughts
}
WITH early, same, coalesce(knowledge, []) AS knowledge, coalesce(thoughts, []) AS thoughts

// The chain: lock, then read.
OPTIONAL CALL (early) {
  WITH early WHERE early = 'go' AND $optional.session_id IS NOT NULL
  MERGE (s:Session {namespace: $namespace, id: $optional.session_id})
  ON CREATE SET s.head_hash = $optional.genesis, s.head_step = -1, s.created_at = $recorded_at
  SET s.lock = 0
  WITH s
  RETURN s AS session, s.head_hash AS head
}
WITH early, same, knowledge, thoughts, session,
  CASE WHEN early = 'go' AND head <> $optional.prev_hash THEN 'moved' ELSE early END AS verdict

// What the links point to, and who waits for this very id.
CALL (verdict) {
  UNWIND $optional.links AS link
  OPTIONAL MATCH (target:Thought {id: link.id}) WHERE verdict = 'go' AND target.namespace = $namespace
  RETURN collect({name: link.name, type: link.type, id: link.id, target: target}) AS links
}
CALL (verdict) {
  OPTIONAL MATCH (:Pending {namespace: $namespace, id: $id})<-[wait:AWAITS]-(waiting:Thought) WHERE verdict = 'go'
  RETURN [w IN collect({type: wait.type, node: waiting}) WHERE w.node IS NOT NULL] AS waits
}
WITH *, CASE WHEN verdict = 'go' THEN
    knowledge + thoughts[..$thoughts_cap] ELSE [] END AS recalled
CALL (recalled) {
  UNWIND recalled AS memory
  WITH memory ORDER BY memory.score DESC, memory.node.id
  WITH collect(memory) AS ordered
  RETURN [i IN range(0, size(ordered) - 1) | {memory: ordered[i], rank: i + 1}] AS ranked
}
CALL (ranked, links, waits) {
  UNWIND [r IN ranked | r.memory.node] + [l IN links WHERE l.target IS NOT NULL | l.target] + [w IN waits | w.node] AS n
  WITH DISTINCT n ORDER BY n.id
  SET n.lock = 0
  RETURN count(n) AS locked
}

// Itself.
OPTIONAL CALL (verdict, session, links, waits, ranked) {
  WITH * WHERE verdict = 'go'
  CREATE (t:Thought)
  SET t = $properties
  SET t.injected_memories = [r IN ranked |
        toString(r.rank) + ' ' + toString(round(r.memory.score, 4)) + ' ' + r.memory.node.id],
      t.enriched_content =
        CASE WHEN $optional.submode IS NULL OR size(ranked) = 0 THEN '' ELSE 'Submode: ' + $optional.submode + '\n' END
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
  WITH *
  CALL db.create.setNodeVectorProperty(t, 'embedding_a', $vector)
  FOREACH (_ IN CASE WHEN session IS NULL THEN [] ELSE [1] END |
    CREATE (t)-[:IN_SESSION]->(session)
    SET session.head_hash = $properties.chain_hash, session.head_step = $properties.step_index,
        session.head_id = $id, session.head_key_id = $properties.key_id,
        session.has_private = coalesce(session.has_private, false) OR $properties.is_private)
  FOREACH (_ IN CASE WHEN $properties.action_id IS NULL THEN [] ELSE [1] END |
    MERGE (action:Action {namespace: $namespace, id: $properties.action_id})
    ON CREATE SET action.created_at = $recorded_at
    CREATE (t)-[:FOR_ACTION]->(action))
  CALL (t, links) {
    UNWIND links AS link
    WITH t, link WHERE link.target IS NOT NULL
    WITH t, link, link.target AS target
    CREATE (t)-[:$(link.type)]->(target)
  }
  CALL (t, links) {
    UNWIND links AS link
    WITH t, link WHERE link.target IS NULL
    MERGE (p:Pending {namespace: $namespace, id: link.id})
    CREATE (t)-[:AWAITS {type: link.type}]->(p)
  }
  CALL (t, waits) {
    UNWIND waits AS wait
    WITH t, wait, wait.node AS waiting
    CREATE (waiting)-[:$(wait.type)]->(t)
  }
  CALL (waits) {
    WITH waits WHERE size(waits) > 0
    MATCH (p:Pending {namespace: $namespace, id: $id})
    DETACH DELETE p
  }
  CALL (t, ranked) {
    UNWIND ranked AS r
    WITH t, r, r.memory AS m, r.memory.node AS node
    SET node.access_count = coalesce(node.access_count, 0) + 1, node.last_accessed = $recorded_at
    CREATE (t)-[:RECALLS {rank: r.rank, score: m.score, cosine: m.cosine, similarity: m.similarity,
      recency: m.recency, salience: m.salience, access: m.access, contradiction: m.contradiction,
      weight: m.score, via: m.via, mode: $properties.mode, scale: $properties.injection_scale,
      created_at: $recorded_at, last_accessed: $recorded_at}]->(node)
  }
  RETURN t AS stored
}
WITH verdict, links, ranked, same, stored

// An earlier try's result is read back from what it stored.
CALL (verdict, same, ranked) {
  OPTIONAL MATCH (same)-[r:RECALLS]->(node) WHERE verdict = 'exists'
  WITH ranked, verdict, r, node ORDER BY r.rank
  WITH ranked, verdict, collect({rank: r.rank, memory: r {.*, node: node}}) AS earlier
  RETURN CASE verdict WHEN 'exists' THEN [e IN earlier WHERE e.rank IS NOT NULL] ELSE ranked END AS shown
}
OPTIONAL MATCH (head:Session {namespace: $namespace, id: $optional.session_id}) WHERE verdict = 'moved'
RETURN
  CASE verdict WHEN 'go' THEN 'stored' ELSE verdict END AS verdict,
  CASE WHEN head IS NULL THEN null
    ELSE {hash: head.head_hash, step: head.head_step, thought_id: head.head_id, key_id: head.head_key_id} END AS head,
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
  CASE verdict WHEN 'exists' THEN same {.*, embedding_a: null, embedding_b: null, awaits: [(same)-[:AWAITS]->(p) | p.id]}
               ELSE stored {.enriched_content} END AS stored
