// What a question is about: candidates by meaning and by words, what they are linked to, and the best of them all.
//
// Full text finds names and numbers that a vector blurs, vectors find what is said in other words, and what stands
// beside a good hit in a session is often the answer itself. So every signal is standardised over the candidates
// and added up (shared/eval measured the weights on conversations; fusing by rank alone was worse than full text):
// meaning .5, words .25, the best of the same session .5, the best neighbour .3, these two bounded. A score is told
// in units of cosine. Behind the ranked candidates come the others by cosine, so that paging has one order and an
// end; with a pool of none, everything comes by cosine.
//
// One text, planned once, whatever is filtered by: the map $request holds all that may be null or empty, since the
// server plans anew for every combination of types. Only what an index is asked for is composed, in near_thoughts,
// and comes as $request.nearest.
CYPHER 25
CALL () {
  WITH 1 AS one WHERE 'thought' IN $kinds AND $request.nearest IS NULL
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace AND t.is_private = false
      LIMIT $index_limit
    ) SCORE AS similarity
  RETURN t, 2 * similarity - 1 AS cosine, 1 AS shared, 0 AS secret
  UNION ALL
  // Private thoughts are found in their own session only.
  MATCH (s:Session {namespace: $namespace, id: $own_session})
  WHERE s.has_private AND 'thought' IN $kinds AND $request.nearest IS NULL
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace AND t.session_id = $own_session AND t.is_private = true
      LIMIT $index_limit
    ) SCORE AS similarity
  RETURN t, 2 * similarity - 1 AS cosine, 0 AS shared, 1 AS secret
  UNION ALL
  UNWIND coalesce($request.nearest, []) AS found
  MATCH (t:Thought {id: found.id})
  RETURN t, found.cosine AS cosine, 0 AS shared, 0 AS secret
}
WITH t, cosine, shared, secret ORDER BY cosine DESC, t.id
WITH collect({t: t, cosine: cosine}) AS near,
  CASE WHEN sum(shared) = $index_limit THEN min(CASE shared WHEN 1 THEN cosine END) END AS shared_end,
  CASE WHEN sum(secret) = $index_limit THEN min(CASE secret WHEN 1 THEN cosine END) END AS secret_end
// Where the last that is looked at is as near as the last that the index gave, the index has cut a tie, and other
// equals would come for another page: then each page is cut from the same long list.
WITH near, coalesce(near[$last_index].cosine <= shared_end OR near[$last_index].cosine <= secret_end, false) AS tied
CALL (tied) {
  CALL (tied) {
    WITH tied WHERE tied
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace AND t.is_private = false
        LIMIT $deep_limit
      ) SCORE AS similarity
    RETURN t, 2 * similarity - 1 AS cosine
    UNION ALL
    MATCH (s:Session {namespace: $namespace, id: $own_session}) WHERE s.has_private AND tied
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace AND t.session_id = $own_session AND t.is_private = true
        LIMIT $deep_limit
      ) SCORE AS similarity
    RETURN t, 2 * similarity - 1 AS cosine
  }
  WITH t, cosine ORDER BY cosine DESC, t.id
  RETURN collect({t: t, cosine: cosine}) AS deeper
}
WITH CASE WHEN tied THEN deeper ELSE near END AS near
CALL () {
  WITH 1 AS one WHERE 'thought' IN $kinds AND $pool > 0
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: $text_limit}) YIELD node AS t, score
  WITH t, score
  WHERE t.namespace = $namespace AND (t.is_private = false OR t.session_id = $own_session) AND t.content IS NOT NULL
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(tag IN $request.tags WHERE tag IN t.tags)
    AND t.created_at >= $request.since AND t.created_at <= $request.until
    AND coalesce(t.confidence, -1.0) >= $request.confidence[0] AND coalesce(t.confidence, -1.0) <= $request.confidence[1]
  WITH t, score LIMIT $pool
  RETURN collect({t: t, words: score}) AS said
}
CALL (near, said) {
  UNWIND near[..$pool] + said AS found
  WITH found.t AS c, max(found.cosine) AS cosine, max(found.words) AS words
  CALL (c, cosine, words) {
    RETURN c AS t, cosine AS d, words AS w
    UNION ALL
    MATCH (c)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
    WITH t LIMIT 8  // before the conditions: else the planner begins at an index of time, and reads all of it
    WHERE t.namespace = $namespace AND (t.is_private = false OR t.session_id = $own_session) AND t.content IS NOT NULL
      AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
      AND all(tag IN $request.tags WHERE tag IN t.tags)
      AND t.created_at >= $request.since AND t.created_at <= $request.until
      AND coalesce(t.confidence, -1.0) >= $request.confidence[0] AND coalesce(t.confidence, -1.0) <= $request.confidence[1]
    RETURN t, null AS d, null AS w
  }
  WITH t, max(d) AS d, max(w) AS w
  RETURN collect({t: t, d: d, w: w}) AS candidates
}
CALL (candidates) {
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
      WHEN toLower(t.author) IN $request.names OR split(toLower(t.author), ' ')[0] IN $request.names THEN t.author
    END) AS named
  UNWIND rows AS row
  WITH row.t AS t, row.r AS r, $request AS q, {
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
  RETURN collect({t: t, cosine: cosine, score: score, parts: parts}) AS head
}
WITH near, head, [h IN head | h.t] AS seen, CASE WHEN size(head) = 0 THEN 1.0 ELSE head[-1].score END AS least
WITH head + [n IN near[$pool..] WHERE NOT n.t IN seen |
  {t: n.t, cosine: n.cosine, score: CASE WHEN n.cosine < least THEN n.cosine ELSE least END, parts: null}] AS ranked
WITH [r IN ranked WHERE r.cosine >= $min_similarity][..$take] AS thoughts

CALL () {
  WITH 1 AS one WHERE 'entity' IN $kinds OR 'observation' IN $kinds
  CALL () {
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR $vector
        WHERE n.namespace = $namespace AND n.kind IN $kinds AND n.valid_from <= $as_of AND n.valid_to > $as_of
        LIMIT $index_limit
      ) SCORE AS similarity
    WITH n, 2 * similarity - 1 AS cosine ORDER BY cosine DESC, n.id
    RETURN collect({n: n, cosine: cosine}) AS near
  }
  WITH near, coalesce(size(near) = $index_limit AND near[$last_index].cosine <= near[-1].cosine, false) AS tied
  CALL (tied) {
    WITH tied WHERE tied
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR $vector
        WHERE n.namespace = $namespace AND n.kind IN $kinds AND n.valid_from <= $as_of AND n.valid_to > $as_of
        LIMIT $deep_limit
      ) SCORE AS similarity
    WITH n, 2 * similarity - 1 AS cosine ORDER BY cosine DESC, n.id
    RETURN collect({n: n, cosine: cosine}) AS deeper
  }
  WITH CASE WHEN tied THEN deeper ELSE near END AS near
  CALL () {
    WITH 1 AS one WHERE $pool > 0
    CALL db.index.fulltext.queryNodes('knowledge_text', $text_query, {limit: $text_limit}) YIELD node AS n, score
    WITH n, score
    WHERE n.namespace = $namespace AND n.kind IN $kinds AND n.valid_from <= $as_of AND n.valid_to > $as_of
    WITH n, score LIMIT $pool
    RETURN collect({n: n, words: score}) AS said
  }
  CALL (near, said) {
    UNWIND near[..$pool] + said AS found
    WITH found.n AS n, max(found.cosine) AS d, max(found.words) AS w
    WITH n, coalesce(d, 2 * vector.similarity.cosine(n.embedding_a, $vector) - 1, 0.0) AS d, w
    WITH collect({n: n, d: d, w: w}) AS rows, avg(d) AS d_mean, stDevP(d) AS d_sd, coalesce(min(w) / 2, 0.0) AS low
    UNWIND rows AS r
    WITH rows, d_mean, d_sd, low, avg(coalesce(r.w, low)) AS w_mean, stDevP(coalesce(r.w, low)) AS w_sd
    UNWIND rows AS r
    WITH r, d_mean, d_sd, CASE WHEN d_sd > 1e-9 THEN (r.d - d_mean) / d_sd ELSE 0.0 END AS zd,
      CASE WHEN w_sd > 1e-9 THEN (coalesce(r.w, low) - w_mean) / w_sd ELSE 0.0 END AS zw
    // A fact is the better when its entity is asked for, and an entity when its facts are.
    CALL (r, d_mean, d_sd, zd, zw) {
      RETURN r.n AS n, {d: r.d, mean: d_mean, sd: d_sd, zd: zd, zw: zw} AS own, null AS beside
      UNION ALL
      WITH r.n AS c, zd + zw AS b
      MATCH (c)-[:ABOUT]-(n)
      RETURN n, null AS own, b AS beside LIMIT 8
    }
    WITH n, head(collect(own)) AS r, coalesce(max(beside), 0.0) AS beside
    WHERE r IS NOT NULL
    WITH n, r, {meaning: 0.5 * r.zd, words: 0.25 * r.zw, beside: 0.15 * beside} AS parts
    WITH n, r.d AS cosine, round(r.mean + r.sd * (parts.meaning + parts.words + parts.beside) / 1.05, 6) AS score, parts
    ORDER BY score DESC, n.id
    RETURN collect({n: n, cosine: cosine, score: score, parts: parts}) AS head
  }
  WITH near, head, [h IN head | h.n] AS seen, CASE WHEN size(head) = 0 THEN 1.0 ELSE head[-1].score END AS least
  WITH head + [n IN near[$pool..] WHERE NOT n.n IN seen |
    {n: n.n, cosine: n.cosine, score: CASE WHEN n.cosine < least THEN n.cosine ELSE least END, parts: null}] AS ranked
  UNWIND [r IN ranked WHERE r.cosine >= $min_similarity][..$take] AS r
  WITH r, r.n AS n
  OPTIONAL MATCH (n)-[:ABOUT]->(about:Entity)
  WITH r, n, head(collect(about.name)) AS entity
  RETURN collect({
    id: n.id, kind: n.kind,
    text: left(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END, $text_length),
    score: r.score, cosine: r.cosine, parts: CASE WHEN $explain THEN r.parts END,
    created_at: n.recorded_at, entity: coalesce(n.name, entity), entity_type: n.entity_type,
    valid_from: n.valid_from, valid_to: n.valid_to
  }) AS knowledge
}
CALL (thoughts) {
  UNWIND thoughts AS r
  WITH r, r.t AS t
  RETURN collect(t {
    .id, kind: 'thought', text: left(coalesce(t.content, ''), $text_length), score: r.score, cosine: r.cosine,
    parts: CASE WHEN $explain THEN r.parts END,
    .created_at, .author, .mode, .thought_type, .origin, .session_id, .chain_id, .step_index, .confidence
  }) AS said
}
RETURN said + knowledge AS hits
