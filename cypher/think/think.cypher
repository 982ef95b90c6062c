// Stores thoughts in one statement: recall, links, place in the chain, and the thoughts themselves.
//
// One thought is a list of one. A batch is stored in its order, and a thought may follow an earlier one of the batch.
// Everything is stored or nothing is. Cypher has no SHA-256, so the caller hashes against the heads it last saw. The
// statement locks the sessions by a SET and reads their heads after it. On a mismatch it writes nothing and returns
// the real heads for one more try (verdict "moved"). Memories, evidence, link targets and waiting thoughts are locked
// in one order (by id) before anything is created: any other shape deadlocks when many thoughts recall the same
// memories.
//
// What differs from thought to thought comes in $thoughts: the server plans a statement anew for every combination
// of parameter types, and this one takes a second to plan. A LIMIT inside SEARCH can be a parameter only.
//
// Verdicts: stored, exists (all ids are stored already: returns the result of that try), partial (some ids are),
// moved, embedding (the active slot holds another model's vectors). Nothing is written unless the verdict is
// "stored".
//
// A candidate is {node, cosine, text_score}. A recalled memory is {node, cosine, relevance, copies, revised_by, via}, and
// with its score {node, cosine, relevance, copies, revised_by, score, similarity, recency, salience, access,
// contradiction, via, tie_break}.
//
// What is recalled must be related to the thought: (cosine - zero) / (threshold - zero) plus the share of the thought's
// words that the memory contains. Nothing is recalled unless one memory reaches 1. A namespace's own mean and deviation
// separate related from unrelated texts less well (tests/bench/recall): they measure how alike its texts are.
:param fingerprint => 'model';
:param pool => 40;
:param inside_pool => 20;
:param knowledge_pool => 10;
:param evidence_pool => 10;
:param recalls_cap => 8;
:param standing_pool => 64;
:param standing_related => 0.45;
:param text_length => 400;
:param most_relationships => 1000;
:param sessions => [{namespace: 'default', session_id: 'try', genesis: 'genesis', prev_hash: 'genesis', recorded_at: datetime()}];
:param thoughts => [{id: randomUUID(), namespace: 'default', session_id: 'try', submode: null, links: [], linked: [], properties: {id: randomUUID(), namespace: 'default', session_id: 'try', content: 'Why does the retry storm?', created_at: datetime(), recorded_at: datetime(), mode: 'question', is_private: false, hot: true, chain_hash: 'hash', step_index: 0, injection_scale: 3}, vector: [x IN range(1, 384) | 0.1], question: null, companions: [], created_at: datetime(), recorded_at: datetime(), knowledge_k: 10, knowledge: {threshold: 0.4, zero: 0.1, least: 0.0, share: 0.3, words: [' retry'], word_count: 1}, floor: 0.1, thoughts_k: 8, thoughts: {threshold: 0.4, zero: 0.1, least: 0.0, share: 0.3, words: [' retry'], word_count: 1}, since: datetime() - duration('P7D'), reach: datetime('0001-01-01'), beyond_k: 2, standing_k: 2, session_k: 0, session_from: 0, via: 'vector', playbooks: {k: 3, suffice: false, signature: null, kind: null, message: null, text: '', threshold: 0.4}, lateral_types: ['ASSOCIATES'], hops: 1, tie_break_pattern: null, tie_break_name: null, hypothesis_test: null, text_query: 'retry', request: {words: [' retry'], names: [], years: [], months: [], day: -1000, spans: [], asks_when: false, time_pattern: '', expected_pattern: '', links: 1.0, mass: 0.0}, tau: 86400.0, w_similarity: 0.6, w_recency: 0.25, w_salience: 0.15, w_access: 0.1, w_contradiction: -0.1}];
CYPHER 25
MATCH (database:LegacyMind {id: 'database'})
// In: $thoughts. Out: known, how many of them are stored already.
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
  END AS early, database.other_slot AS other_slot  // the slot that is being filled, or is kept for a roll-back

// In: early, the verdict so far. Out: moved, how many sessions have another head than the caller expects. Locks, then reads.
CALL (early) {
  UNWIND $sessions AS expected
  WITH early, expected WHERE early = 'go'
  WITH expected ORDER BY expected.namespace, expected.session_id
  MERGE (session:Session {namespace: expected.namespace, id: expected.session_id})
  ON CREATE SET session.head_hash = expected.genesis, session.head_step = -1, session.created_at = expected.recorded_at
  SET session.lock = 0
  WITH session, expected
  RETURN count(CASE WHEN session.head_hash <> expected.prev_hash THEN 1 END) AS moved
}
WITH CASE WHEN early = 'go' AND moved > 0 THEN 'moved' ELSE early END AS verdict, other_slot

UNWIND $thoughts AS new
// Fields that many clauses read get a variable: the planner's time grows with the square of the properties read of one.
WITH verdict, other_slot, new, coalesce(new.question, new.vector) AS question,  // the vector for recall
  new.namespace AS namespace, new.session_id AS session_id, new.created_at AS created_at, new.recorded_at AS recorded_at,
  new.linked AS linked, new.since AS since, new.reach AS reach, new.knowledge AS knowledge_rule, new.thoughts AS thoughts_rule,
  new.hypothesis_test AS hypothesis_test, new.properties AS properties
// In: verdict, one of $thoughts, its vector for recall and some of its fields. Out: its head, links, memories, missed, verification, crowded and stored, as returned.
CALL (
  verdict, other_slot, new, question, namespace, session_id, created_at, recorded_at, linked, since, reach,
  knowledge_rule, thoughts_rule, hypothesis_test, properties
) {
  OPTIONAL MATCH (same:Thought {id: new.id}) WHERE verdict = 'exists'
  OPTIONAL MATCH (session:Session {namespace: namespace, id: session_id})

  // Knowledge: of the k nearest, those with a share of the best one's relatedness. Nearly related ones are the fallback.
  // In: new. Out: knowledge, recalled entities and observations; fallback, at most three that are almost as near as the best.
  CALL (verdict, new, question, namespace, created_at, knowledge_rule) {
    WITH * WHERE verdict = 'go' AND new.knowledge_k > 0
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR question
        WHERE n.namespace = namespace
          AND n.valid_from <= created_at AND n.valid_to > created_at  // part: valid_at(n, created_at)
        LIMIT $knowledge_pool
      ) SCORE AS index_score
    // Neo4j's cosine score is (1 + cos) / 2.
    WITH n, 2 * index_score - 1 AS cosine, ' ' + replace(toLower(left(coalesce(toStringOrNull(n.content), toStringOrNull(n.name + ' ' + coalesce(n.description, ''))), 2000)), '\n', ' ') AS text
    ORDER BY cosine DESC, n.id
    WITH collect({
      node: n, cosine: cosine,
      related: (cosine - knowledge_rule.zero) / (knowledge_rule.threshold - knowledge_rule.zero) + toFloat(size([word IN knowledge_rule.words WHERE text CONTAINS word])) / knowledge_rule.word_count  // part: relatedness(knowledge_rule)
    }) AS nearest
    WITH nearest[..new.knowledge_k] AS nearest
    WITH nearest, reduce(best = 0.0, c IN nearest | CASE WHEN c.related > best THEN c.related ELSE best END) AS best
    WITH best, [c IN nearest WHERE CASE
      WHEN best >= 1.0 THEN c.related >= knowledge_rule.share * best AND c.related >= knowledge_rule.least
      ELSE best >= 0.7 AND c.related >= 0.9 * best AND c.cosine >= new.floor END
      | c{.*, text: c.node.content, vector: c.node.embedding_a}] AS related
    // Facts of equal or nearly equal texts are one memory, whatever their entities: the nearest, and a count. Their vectors
    // have the names of the entities.
    WITH best, related, reduce(kept = [], c IN related | CASE
      WHEN c.node:Observation AND any(k IN kept WHERE k.node:Observation AND (k.node.fact_key = c.node.fact_key
        OR abs(k.cosine - c.cosine) < 0.02 AND (k.text = c.text OR vector.similarity.cosine(k.vector, c.vector) >= 0.99)  // part: same_text(k, c)
      )) THEN kept ELSE kept + [c] END) AS kept
    WITH best, [c IN kept | {node: c.node, cosine: c.cosine, relevance: c.cosine, via: CASE WHEN best >= 1.0 THEN 'vector' ELSE 'fallback' END,
      copies: size([other IN related WHERE other.node = c.node OR c.node:Observation AND other.node:Observation AND (other.node.fact_key = c.node.fact_key
        OR abs(other.cosine - c.cosine) < 0.02 AND (other.text = c.text OR vector.similarity.cosine(other.vector, c.vector) >= 0.99)  // part: same_text(other, c)
      )])}] AS found
    RETURN CASE WHEN best >= 1.0 THEN found ELSE [] END AS knowledge, CASE WHEN best >= 1.0 THEN [] ELSE found[..3] END AS fallback
  }

  // Playbooks: thoughts that solved the same error, or else one of the same type or a similar problem. Two errors are the
  // same if one contains the message of the other. The playbooks of a namespace are few (see record_outcome.cypher).
  // In: new. Out: playbooks, recalled thoughts; settled, whether they suffice.
  CALL (verdict, new, question, namespace, session_id, created_at, linked) {
    WITH new.playbooks AS wanted, new.floor AS floor WHERE verdict = 'go' AND wanted.k > 0
    MATCH (t:Thought) WHERE t.namespace = namespace AND t.playbook > 0.0
    WITH wanted, floor, t ORDER BY t.playbook DESC, t.id
    MATCH (t)-[:SOLVES]->(problem:Thought)
    WHERE t.created_at < created_at
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = session_id END  // part: visible(t, session_id)
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
      AND NOT t.id IN linked
    WITH wanted, floor, t, problem.error_signature AS signature, 2 * vector.similarity.cosine(problem.embedding_a, question) - 1 AS nearness
    WITH wanted, floor, t, signature, nearness, split(signature, ': ')[0] AS kind
    WITH wanted, floor, t, signature, nearness, kind, substring(signature, size(kind) + 2) AS message
    WITH t, max(CASE
        WHEN signature = wanted.signature
          OR size(message) >= 12 AND (wanted.signature CONTAINS message OR wanted.text CONTAINS message)
          OR size(wanted.message) >= 12 AND signature CONTAINS wanted.message THEN 2.0
        // Errors of any two types are somewhat similar.
        WHEN nearness >= CASE WHEN kind = wanted.kind THEN floor WHEN kind <> wanted.kind THEN (1 + wanted.threshold) / 2
          ELSE wanted.threshold END THEN nearness
      END) AS match
    WHERE match IS NOT NULL
    WITH t, match ORDER BY match DESC
    WITH collect({node: t, cosine: coalesce(2 * vector.similarity.cosine(t.embedding_a, question) - 1, 0.0),
      relevance: CASE match WHEN 2.0 THEN 1.0 ELSE match END, copies: 1, via: 'playbook', same: match = 2.0}) AS solved
    RETURN [p IN solved WHERE p.same OR NOT solved[0].same][..new.playbooks.k] AS playbooks, solved[0].same AND new.playbooks.suffice AS settled
  }

  // Thoughts: by meaning, the session's private thoughts if it has any, and by words. Those before the window, which begins
  // at since, are candidates too: an old thought may answer better than all recent ones.
  // In: new, its session and settled. Out: reached, candidates since reach, each node once; by_meaning, how many the index found.
  CALL (verdict, new, question, session, settled, namespace, session_id, created_at, reach) {
    WITH * WHERE verdict = 'go' AND new.thoughts_k > 0 AND NOT coalesce(settled, false)
    // In: new and its session. Out: one row for each way a thought was found.
    CALL (new, question, session, namespace, session_id, created_at, reach) {
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR question
          WHERE t.namespace = namespace
            AND t.is_private = false  // part: public(t)
            AND t.hot = true  // part: hot(t)
            AND t.created_at >= reach AND t.created_at < created_at
          LIMIT $pool
        ) SCORE AS index_score
      RETURN t, 2 * index_score - 1 AS cosine, null AS text_score
      UNION ALL
      WITH * WHERE session.has_private
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR question
          WHERE t.namespace = namespace
            AND t.session_id = session_id AND t.is_private = true  // part: own_private(t, session_id)
            AND t.hot = true  // part: hot(t)
            AND t.created_at >= reach AND t.created_at < created_at
          LIMIT $pool
        ) SCORE AS index_score
      RETURN t, 2 * index_score - 1 AS cosine, null AS text_score
      UNION ALL
      CALL db.index.fulltext.queryNodes('thought_text', new.text_query, {limit: 16 * $pool}) YIELD node AS t, score
      WITH t, score
      WHERE t.namespace = namespace
        AND t.hot = true  // part: hot(t)
        AND t.created_at >= reach AND t.created_at < created_at
        AND CASE t.is_private WHEN false THEN true ELSE t.session_id = session_id END  // part: visible(t, session_id)
        AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      RETURN t, null AS cosine, score AS text_score LIMIT $pool
      UNION ALL
      UNWIND new.companions AS companion  // no index shows the uncommitted thoughts of this batch
      MATCH (t:Thought {id: companion.id})
      WHERE t.namespace = namespace AND t.created_at >= reach AND t.created_at < created_at
        AND CASE t.is_private WHEN false THEN true ELSE t.session_id = session_id END  // part: visible(t, session_id)
      RETURN t, companion.cosine AS cosine, null AS text_score
    }
    WITH t, max(cosine) AS cosine, max(text_score) AS text_score
    RETURN collect({node: t, cosine: cosine, text_score: text_score}) AS reached, count(cosine) AS by_meaning
  }
  // In: new, its session, reached and by_meaning. Out: inside, candidates in the window, which the pool above did not reach
  // because older thoughts are nearer.
  CALL (new, question, session, reached, by_meaning, namespace, session_id, created_at, since, reach) {
    WITH size([c IN reached WHERE c.cosine IS NOT NULL AND c.node.created_at >= since]) AS count_inside
    WHERE by_meaning >= $pool AND count_inside < $inside_pool AND since > reach
    // In: new and its session. Out: public thoughts and the session's private ones.
    CALL (question, session, namespace, session_id, created_at, since) {
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR question
          WHERE t.namespace = namespace
            AND t.is_private = false  // part: public(t)
            AND t.hot = true  // part: hot(t)
            AND t.created_at >= since AND t.created_at < created_at
          LIMIT $inside_pool
        ) SCORE AS index_score
      RETURN t, 2 * index_score - 1 AS cosine
      UNION ALL
      WITH * WHERE session.has_private
      MATCH (t:Thought)
        SEARCH t IN (
          VECTOR INDEX thought_embedding_a FOR question
          WHERE t.namespace = namespace
            AND t.session_id = session_id AND t.is_private = true  // part: own_private(t, session_id)
            AND t.hot = true  // part: hot(t)
            AND t.created_at >= since AND t.created_at < created_at
          LIMIT $inside_pool
        ) SCORE AS index_score
      RETURN t, 2 * index_score - 1 AS cosine
    }
    RETURN collect({node: t, cosine: cosine, text_score: null}) AS inside
  }
  // Candidates and their neighbours are ranked together, as search does. Recalled are, if one of them is related, the best
  // in the window and the few before it that rank above all of these.
  // In: new, reached and inside. Out: best, recalled thoughts; missed, how many more before the window rank above these.
  CALL (new, question, reached, inside, namespace, session_id, created_at, linked, since, reach, thoughts_rule) {
    UNWIND reached + inside AS c
    WITH c.node AS hit, max(c.cosine) AS hit_cosine, max(c.text_score) AS hit_text_score
    // In: one hit. Out: the hit, then the thoughts linked to it, without scores.
    CALL (hit, hit_cosine, hit_text_score, namespace, session_id, created_at, reach) {
      RETURN hit AS t, hit_cosine AS cosine, hit_text_score AS text_score
      UNION ALL
      MATCH (hit)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
      WITH t LIMIT 8  // before the conditions: else the planner begins at an index of time, and reads all of it
      WHERE t.namespace = namespace
        AND t.hot = true  // part: hot(t)
        AND t.created_at >= reach AND t.created_at < created_at
        AND CASE t.is_private WHEN false THEN true ELSE t.session_id = session_id END  // part: visible(t, session_id)
        AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      RETURN t, null AS cosine, null AS text_score
    }
    WITH t, max(cosine) AS cosine, max(text_score) AS text_score
    WITH collect({node: t, cosine: cosine, text_score: text_score}) AS candidates
    // part: ranking(question, new.request)
    UNWIND candidates AS candidate
    WITH candidate.node AS t, candidate.text_score AS text_score,
      coalesce(candidate.cosine, 2 * vector.similarity.cosine(candidate.node.embedding_a, question) - 1, 0.0) AS cosine,
      ' ' + replace(toLower(left(toStringOrNull(candidate.node.content), 600)), '\n', ' ') AS beginning,
      CASE WHEN size(toStringOrNull(candidate.node.content)) > 600 THEN ' ' + replace(toLower(left(toStringOrNull(candidate.node.content), 2000)), '\n', ' ') END AS text
    WITH collect({node: t, cosine: cosine, text_score: text_score,
        found: [word IN new.request.words | CASE WHEN beginning CONTAINS word THEN 1.0 WHEN text CONTAINS word THEN 0.25 ELSE 0.0 END]}) AS measured,
      toFloat(count(*)) AS candidate_count, avg(cosine) AS cosine_mean, stDevP(cosine) AS cosine_sd
    // A word counts a quarter after the first 600 characters, where long texts mention everything.
    // part: word_sums(new.request.words)
    WITH *, [n IN range(0, size(new.request.words) - 1) | log((candidate_count + 1) / (size([m IN measured WHERE m.found[n] = 1.0]) + 0.5))] AS weights
    UNWIND measured AS candidate
    WITH candidate, cosine_mean, cosine_sd, reduce(sum = 0.0, n IN range(0, size(weights) - 1) | sum + weights[n] * candidate.found[n]) AS words
    // end of part
    WITH collect({node: candidate.node, cosine: candidate.cosine, text_score: candidate.text_score, words: words}) AS measured, avg(words) AS words_mean, stDevP(words) AS words_sd,
      avg(candidate.cosine * words) AS product_mean, cosine_mean, CASE WHEN cosine_sd > 1e-9 THEN cosine_sd ELSE 1.0 END AS cosine_sd
    WITH *, CASE WHEN words_sd > 1e-6 THEN words_sd ELSE 1.0 END AS text_sd
    // The standard deviation of the sum of two standardised variables: sqrt(2 + 2 r).
    WITH *, 2 + 2 * (product_mean - cosine_mean * words_mean) / (cosine_sd * text_sd) AS variance
    WITH *, CASE WHEN variance > 1e-9 THEN sqrt(variance) ELSE 1.0 END AS combined_sd
    UNWIND measured AS candidate
    WITH candidate.node AS t, candidate.cosine AS cosine, candidate.text_score AS text_score, cosine_mean, cosine_sd,
      (candidate.cosine - cosine_mean) / cosine_sd AS cosine_z,
      (candidate.words - words_mean) / text_sd AS text_z, combined_sd,
      size(toStringOrNull(candidate.node.content)) < 120 AND right(rtrim(toStringOrNull(candidate.node.content)), 1) = '?' AS is_question
    WITH *, (cosine_z + text_z) / combined_sd AS combined ORDER BY combined DESC
    WITH coalesce(t.session_id, t.id) AS session_group, collect({node: t, cosine: cosine, text_score: text_score,
      cosine_z: cosine_z, text_z: text_z, combined: combined, is_question: is_question, step: CASE WHEN t.step_index IS :: INTEGER NOT NULL THEN t.step_index ELSE 0 END,
      cosine_mean: cosine_mean, cosine_sd: cosine_sd}) AS members
    WITH members, members[..6] AS best
    UNWIND members AS candidate
    // In: one candidate and the best of its session. Out: the candidate itself with the best combined score of its session, which
    // counts less with every step between them, since a long session has many topics; then for each of its neighbours the
    // candidate's combined score, as neighbour_score and, from a question to what follows it, as asked_score.
    CALL (candidate, best) {
      RETURN candidate.node AS t, candidate AS own, reduce(most = candidate.combined + 3, m IN best | CASE
        WHEN (m.combined + 3) * exp(-abs(m.step - candidate.step) / 40.0) > most THEN (m.combined + 3) * exp(-abs(m.step - candidate.step) / 40.0)
        ELSE most END) AS session_score, null AS neighbour_score, null AS asked_score
      UNION ALL
      WITH candidate.node AS neighbour, candidate.combined AS combined, candidate.is_question AS is_question
      MATCH (neighbour)-[link:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
      RETURN t, null AS own, null AS session_score, combined AS neighbour_score,
        CASE WHEN is_question AND startNode(link) = t THEN combined END AS asked_score
      LIMIT 8
    }
    WITH t, head(collect(own)) AS candidate, max(session_score) AS session_score,
      coalesce(max(neighbour_score), -0.5) AS neighbour_score, coalesce(max(asked_score), 0.0) AS asked_score
    WHERE candidate IS NOT NULL
    WITH collect({node: t, candidate: candidate, session_score: session_score, neighbour_score: neighbour_score,
        asked_score: asked_score}) AS rows,
      avg(session_score) AS session_mean, stDevP(session_score) AS session_sd,
      avg(neighbour_score) AS neighbour_mean, stDevP(neighbour_score) AS neighbour_sd,
      collect(DISTINCT CASE
        WHEN toLower(toStringOrNull(t.author)) IN new.request.names OR split(toLower(toStringOrNull(t.author)), ' ')[0] IN new.request.names THEN t.author
      END) AS named
    UNWIND rows AS row
    WITH row.node AS t, row.candidate AS candidate, new.request AS request, {
        meaning: 0.5 * row.candidate.cosine_z,
        words: 0.25 * row.candidate.text_z,
        // Bounded: one rare word must not lift a whole session above candidates with the same meaning.
        session: CASE WHEN session_sd <= 1e-9 THEN 0.0 WHEN row.session_score > session_mean + 2.5 * session_sd THEN 1.25
          ELSE 0.5 * (row.session_score - session_mean) / session_sd END * new.request.links,
        beside: CASE WHEN neighbour_sd <= 1e-9 THEN 0.0 WHEN row.neighbour_score > neighbour_mean + 2.5 * neighbour_sd THEN 0.75
          ELSE 0.3 * (row.neighbour_score - neighbour_mean) / neighbour_sd END * new.request.links,
        answer: 0.2 * row.asked_score,
        question: CASE WHEN row.candidate.is_question THEN -1.0 ELSE 0.0 END,
        author: CASE WHEN size(named) = 1 AND row.node.author = named[0] THEN 1.5 ELSE 0.0 END,
        mass: CASE WHEN new.request.mass > 0 AND row.node.mass > 0.15 THEN new.request.mass * log(row.node.mass / 0.15) ELSE 0.0 END  // part: mass(row.node, new.request)
      } AS parts,
      CASE WHEN row.node.created_at IS :: ZONED DATETIME THEN row.node.created_at END AS thought_at
    WITH t, candidate, parts,
      CASE
        WHEN thought_at.ordinalDay >= request.day - 3 AND thought_at.ordinalDay <= request.day + 3
          AND (request.years = [] OR thought_at.year IN request.years) THEN 3.0
        WHEN thought_at.month IN request.months AND (request.years = [] OR thought_at.year IN request.years) THEN 2.0
        WHEN request.months = [] AND thought_at.year IN request.years THEN 0.6
        WHEN any(span IN request.spans WHERE thought_at >= span[0] AND thought_at < span[1]) THEN 2.0
        ELSE 0.0
      END AS date,
      CASE WHEN request.asks_when AND left(toStringOrNull(t.content), 600) =~ request.time_pattern THEN 1.5 ELSE 0.0 END AS time,
      // Only above the mean: below it 0.5 changes nothing near the top, and an expression costs as much as a vector.
      CASE WHEN request.expected_pattern <> '' AND parts.meaning + parts.words + parts.session + parts.beside > 0
        AND left(toStringOrNull(t.content), 600) =~ request.expected_pattern THEN 0.5 ELSE 0.0 END AS expected
    WITH t, candidate, parts, date, time, expected, parts.meaning + parts.words + parts.session + parts.beside + parts.answer
      + parts.question + parts.author + parts.mass + date + time + expected AS total
    // 1.55 is the sum of the four weights: a score is the cosine as many standard deviations above the candidates' mean.
    // Rounded, since a sum differs with the order of its addends, and equal candidates would differ with it.
    WITH t, candidate.cosine AS cosine, candidate.text_score AS text_score,
      round(candidate.cosine_mean + candidate.cosine_sd * total / 1.55, 6) AS score, parts {.*, date: date, time: time, expected: expected} AS parts
    ORDER BY score DESC, t.id
    // end of part
    WITH t, cosine, text_score, score, ' ' + replace(toLower(left(toStringOrNull(t.content), 2000)), '\n', ' ') AS text WHERE NOT t.id IN linked
    WITH t, cosine, text_score, score,
      (cosine - thoughts_rule.zero) / (thoughts_rule.threshold - thoughts_rule.zero) + toFloat(size([word IN thoughts_rule.words WHERE text CONTAINS word])) / thoughts_rule.word_count  // part: relatedness(thoughts_rule)
      AS related
    // Tested last, since most candidates are too distant to be recalled.
    WHERE related < thoughts_rule.share OR
      t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
    // Of about equally relevant thoughts the salient one comes first, and stands for its copies.
    ORDER BY round(score * 50) DESC, coalesce(t.salience, t.significance, 0.5) DESC, score DESC, t.id
    WITH collect({node: t, cosine: cosine, text_score: text_score, score: score, related: related}) AS ordered
    WITH ordered, reduce(best = 0.0, c IN ordered | CASE WHEN c.related > best THEN c.related ELSE best END) AS best
    WITH [c IN ordered WHERE best >= 1.0 AND c.related >= thoughts_rule.share * best AND c.related >= thoughts_rule.least
      | c{.*, text: c.node.content, vector: c.node.embedding_a}] AS related
    WITH related, [c IN related WHERE c.node.created_at < since] AS before
    // Nearly equal texts are one memory: the first of the ranking, and a count.
    WITH related, before, reduce(kept = [], c IN [c IN related WHERE c.node.created_at >= since] |
      CASE WHEN size(kept) = new.thoughts_k OR any(k IN kept
        WHERE abs(k.cosine - c.cosine) < 0.02 AND (k.text = c.text OR vector.similarity.cosine(k.vector, c.vector) >= 0.99)  // part: same_text(k, c)
      ) THEN kept ELSE kept + [c] END) AS recent
    WITH related, before, recent, reduce(kept = recent, c IN before |
      CASE WHEN size(kept) = size(recent) + new.beyond_k OR size(recent) > 0 AND c.score <= recent[0].score
        OR any(k IN kept
          WHERE abs(k.cosine - c.cosine) < 0.02 AND (k.text = c.text OR vector.similarity.cosine(k.vector, c.vector) >= 0.99)  // part: same_text(k, c)
        ) THEN kept ELSE kept + [c] END) AS chosen
    RETURN [c IN chosen | {node: c.node, cosine: c.cosine, relevance: c.score,
        copies: size([other IN related WHERE other.node = c.node
          OR abs(other.cosine - c.cosine) < 0.02 AND (other.text = c.text OR vector.similarity.cosine(other.vector, c.vector) >= 0.99)  // part: same_text(other, c)
        ]),
        via: CASE WHEN c.node.created_at < since THEN 'beyond'
                  WHEN new.via = 'recent' THEN 'recent'
                  WHEN c.cosine >= thoughts_rule.threshold THEN 'vector'
                  WHEN c.text_score IS NOT NULL THEN 'fulltext' ELSE 'graph' END}] AS best,
      size([c IN before WHERE size(recent) = 0 OR c.score > recent[0].score]) + size(recent) - size(chosen) AS missed
  }

  // Standing preferences and instructions, however old: of the newest, those with a topic near the thought. They come in
  // addition to all others, and open nothing.
  // In: new, playbooks and best. Out: standing, recalled thoughts.
  CALL (verdict, new, question, namespace, session_id, created_at, linked, thoughts_rule, playbooks, best) {
    WITH * WHERE verdict = 'go' AND new.standing_k > 0
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, standing, created_at)
    WHERE t.namespace = namespace AND t.standing = true AND t.created_at < created_at
    WITH * ORDER BY t.namespace DESC, t.standing DESC, t.created_at DESC, t.id LIMIT $standing_pool
    WITH *
    WHERE t.hot = true  // part: hot(t)
      AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = session_id END  // part: visible(t, session_id)
      // part: in_force(t, created_at, session_id, namespace)
      AND size([
        x IN [(t)<-[:REVISES|CONTRADICTS]-(later) | later]
        WHERE x.namespace = namespace
          AND coalesce(x.created_at <= created_at, true)  // part: existed(x, created_at)
          AND (x.is_private = false OR x.session_id = session_id OR NOT x:Thought)  // part: visible_node(x, session_id)
          AND CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
        ]) = 0
      // end of part
      AND NOT t.id IN linked AND NOT any(m IN playbooks + best WHERE m.node.content = t.content)
    WITH thoughts_rule, new, t, coalesce(2 * vector.similarity.cosine(t.embedding_a, question) - 1, 0.0) AS cosine,
      ' ' + replace(toLower(left(t.content, 2000)), '\n', ' ') AS text
    WITH thoughts_rule, new, {
      node: t, cosine: cosine,
      related: (cosine - thoughts_rule.zero) / (thoughts_rule.threshold - thoughts_rule.zero) + toFloat(size([word IN thoughts_rule.words WHERE text CONTAINS word])) / thoughts_rule.word_count  // part: relatedness(thoughts_rule)
    } AS c
    WHERE c.related >= $standing_related AND c.related >= thoughts_rule.least
    WITH new, c ORDER BY c.related DESC, c.node.created_at DESC, c.node.id
    WITH new, collect(c) AS near
    WITH new, reduce(kept = [], c IN near | CASE
      WHEN size(kept) = new.standing_k OR any(k IN kept WHERE k.node.content = c.node.content) THEN kept ELSE kept + [c] END) AS kept
    RETURN coalesce(head(collect([c IN kept | {node: c.node, cosine: c.cosine, relevance: c.cosine, copies: 1, via: 'standing'}])), []) AS standing
  }

  // A thought that concludes sees its session: the latest thoughts that nothing above recalls, also the one that it follows.
  // In: new, playbooks, best and standing. Out: own, thoughts of the session, each text once.
  CALL (verdict, new, question, namespace, session_id, created_at, properties, playbooks, best, standing) {
    WITH *, [m IN playbooks + best + standing | m.node.content] AS texts WHERE verdict = 'go' AND new.session_k > 0
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, step_index)
    WHERE t.namespace = namespace AND t.session_id = session_id
      AND t.step_index >= new.session_from AND t.step_index < properties.step_index
      AND t.created_at <= created_at AND NOT t.content IN texts
      AND t.hot = true  // part: hot(t)
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
    WITH question, new, t ORDER BY t.step_index DESC
    WITH question, new, t.content AS text, collect(t) AS same
    WITH question, new, same[0] AS t, size(same) AS copies ORDER BY t.step_index DESC
    WITH new, collect({node: t, cosine: coalesce(2 * vector.similarity.cosine(t.embedding_a, question) - 1, 0.0), copies: copies}) AS latest
    RETURN coalesce(head(collect([c IN latest[..new.session_k] |
      {node: c.node, cosine: c.cosine, relevance: c.cosine, copies: c.copies, via: 'session'}])), []) AS own
  }

  // Sideways from the eight strongest memories, whatever the cosine. Each hop takes a fifth of the relevance; a
  // contradiction of a memory is as relevant as the memory. Hubs are bounded at sixteen neighbours.
  // In: knowledge, playbooks and best. Out: lateral_thoughts and lateral_knowledge, recalled over relationships.
  CALL (verdict, new, question, knowledge, playbooks, best, namespace, session_id, created_at, linked) {
    WITH * WHERE verdict = 'go' AND size(new.lateral_types) > 0
    UNWIND knowledge[..3] + playbooks + best AS source
    WITH source ORDER BY source.relevance DESC LIMIT 8
    // In: one memory. Out: the neighbours of it and of its revisions.
    CALL (new, source, namespace, session_id) {
      WITH source.node AS from
      MATCH (from)<-[:REVISES]-{0,8}(version)-[link:ASSOCIATES|REFERENCES|CONTRADICTS]-(neighbour)
      WHERE type(link) IN new.lateral_types AND version.namespace = namespace
        AND (version.is_private = false OR version.session_id = session_id OR NOT version:Thought)  // part: visible_node(version, session_id)
      RETURN neighbour, type(link) AS link_type LIMIT 16
    }
    // In: one neighbour. Out: the neighbour and, with two hops, its own neighbours, with their relevance.
    CALL (new, source, neighbour, link_type) {
      RETURN neighbour AS m, source.relevance * CASE link_type WHEN 'CONTRADICTS' THEN 1.0 ELSE 0.8 END AS relevance,
        CASE link_type WHEN 'CONTRADICTS' THEN 'contradiction' ELSE 'lateral' END AS via
      UNION ALL
      WITH * WHERE new.hops > 1 AND link_type <> 'CONTRADICTS'
      MATCH (neighbour)-[:ASSOCIATES|REFERENCES]-(m)
      RETURN m, source.relevance * 0.64 AS relevance, 'lateral' AS via LIMIT 16
    }
    WITH m, max(relevance) AS relevance, min(via) AS via
    WHERE m.namespace = namespace AND m.id <> new.id AND NOT m.id IN linked
      AND NOT m.id IN [r IN knowledge + playbooks + best | r.node.id]
      AND CASE WHEN m:Thought
        THEN m.created_at < created_at
          AND m.hot = true  // part: hot(m)
          AND m.content IS :: STRING NOT NULL  // part: not_redacted(m)
          AND CASE m.is_private WHEN false THEN true ELSE m.session_id = session_id END  // part: visible(m, session_id)
          AND CASE WHEN EXISTS { (m)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN m.session_id IS NULL THEN 0 WHEN m.chain_hash IS NOT NULL AND m.step_index IS :: INTEGER NOT NULL AND m.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(m)
        ELSE
          m.valid_from <= created_at AND m.valid_to > created_at  // part: valid_at(m, created_at)
        END
    WITH m, relevance, via,
      coalesce(2 * vector.similarity.cosine(m.embedding_a, question) - 1, 0.0) AS cosine
    ORDER BY relevance DESC, cosine DESC, m.id
    WITH collect({node: m, cosine: cosine, relevance: CASE WHEN cosine > relevance THEN cosine ELSE relevance END, copies: 1, via: via}) AS lateral
    RETURN [r IN lateral WHERE r.node:Thought] AS lateral_thoughts, [r IN lateral WHERE NOT r.node:Thought][..5] AS lateral_knowledge
  }

  // A revised thought comes with its latest revision, and a problem with what solves it. These rank above it.
  // In: the recalled thoughts. Out: current, the same memories with their revisions and solutions, each node once.
  CALL (question, playbooks, best, lateral_thoughts, standing, own, namespace, session_id, created_at, linked) {
    UNWIND playbooks + best + own + lateral_thoughts + standing AS memory
    // In: one memory. Out: revision, its latest one, or null; solutions, at most two, each in its latest revision.
    CALL (memory, namespace, session_id, created_at) {
      WITH memory.node AS known
      MATCH (known)<-[way:REVISES|SOLVES*1..8]-(latest:Thought)  // faster to plan than three quantified relationships
      WHERE size([r IN way WHERE type(r) = 'SOLVES']) < 2 AND latest.namespace = namespace AND latest.created_at < created_at
        AND latest.hot = true  // part: hot(latest)
        AND latest.content IS :: STRING NOT NULL  // part: not_redacted(latest)
        AND CASE latest.is_private WHEN false THEN true ELSE latest.session_id = session_id END  // part: visible(latest, session_id)
        AND CASE WHEN EXISTS { (latest)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN latest.session_id IS NULL THEN 0 WHEN latest.chain_hash IS NOT NULL AND latest.step_index IS :: INTEGER NOT NULL AND latest.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(latest)
      WITH latest, head([r IN way WHERE type(r) = 'SOLVES' | startNode(r)]) AS solution ORDER BY latest.created_at DESC, latest.id
      WITH solution, head(collect(latest)) AS latest ORDER BY latest.salience DESC, latest.created_at DESC, latest.id
      RETURN head(collect(CASE WHEN solution IS NULL THEN latest END)) AS revision,
        collect(DISTINCT CASE WHEN solution IS NOT NULL THEN latest END)[..2] AS solutions
    }
    UNWIND [memory {.*, revised_by: revision.id, solved_by: head(solutions).id}] + [node IN solutions + [revision] WHERE node IS NOT NULL | {
      node: node, cosine: coalesce(2 * vector.similarity.cosine(node.embedding_a, question) - 1, 0.0),
      relevance: memory.relevance + 0.02, copies: 1, via: CASE node WHEN revision THEN 'revision' ELSE 'solution' END}] AS item
    WITH item.node AS node, collect(item) AS items, max(item.relevance) AS relevance
    WHERE NOT node.id IN linked OR any(item IN items WHERE item.via = 'session')
    WITH head([item IN items WHERE NOT item.via IN ['revision', 'solution']] + items) AS item, items, relevance
    RETURN collect(item {.*, relevance: relevance,
      revised_by: head([other IN items WHERE other.revised_by IS NOT NULL | other.revised_by]),
      solved_by: head([other IN items WHERE other.solved_by IS NOT NULL | other.solved_by])}) AS current
  }

  // The submode's preference breaks ties between memories within two hundredths of each other.
  // In: recalled entities and observations, or the fallback when nothing else is recalled. Out: facts, the same with their
  // scores.
  CALL (new, knowledge, fallback, lateral_knowledge, lateral_thoughts, playbooks, best, own) {
    UNWIND CASE WHEN size(knowledge) + size(lateral_knowledge) + size(lateral_thoughts) + size(playbooks) + size(best) + size(own) = 0
      THEN fallback ELSE knowledge + lateral_knowledge END AS m
    WITH m, m.node AS n
    WITH m, n, coalesce(left(coalesce(toStringOrNull(n.content), toStringOrNull(n.name + ' ' + coalesce(n.description, ''))), 2000) =~ new.tie_break_pattern, false) AS tie_break
    RETURN collect({node: n, cosine: m.cosine, relevance: m.relevance, copies: m.copies, score: m.cosine, similarity: m.cosine,
      recency: 0.0, salience: 0.0, access: 0.0, contradiction: 0.0, via: m.via, tie_break: tie_break}) AS facts
  }
  // In: recalled thoughts. Out: scored, the same with their scores, best first.
  CALL (new, current, created_at) {
    UNWIND current AS m
    WITH m, m.node AS t
    WITH t, m.cosine AS cosine, m.via AS via, m.relevance AS relevance, m.copies AS copies, m.revised_by AS revised_by, m.solved_by AS solved_by,
      new.w_similarity * CASE WHEN m.relevance > 1.0 THEN 1.0 ELSE m.relevance END AS similarity,
      new.w_recency * exp(-(created_at.epochSeconds - t.created_at.epochSeconds) / new.tau) AS recency,
      new.w_salience * coalesce(toFloatOrNull(t.salience), toFloatOrNull(t.significance), 0.5) AS salience,
      new.w_access * CASE WHEN t.access_count >= 100 THEN 1.0 ELSE log(1 + coalesce(toIntegerOrNull(t.access_count), 0)) / log(101) END AS access,
      new.w_contradiction * COUNT { (t)<-[:CONTRADICTS]-() } AS contradiction
    WITH *, similarity + recency + salience + access + contradiction AS score
    // Relevance leads. Recency, salience and access decide between memories that are about equally relevant.
    WITH *, round(relevance * 50) AS relevance_step, CASE new.tie_break_name
        WHEN 'contrarian' THEN EXISTS { (t)-[:CONTRADICTS]-() }
        WHEN 'emotional' THEN abs(coalesce(t.emotional_weight, 0.0)) >= 0.3
        WHEN 'solution' THEN EXISTS { (t)-[:SOLVES]->() }
        ELSE false
      END OR coalesce(left(t.content, 2000) =~ new.tie_break_pattern, false) AS tie_break
    ORDER BY relevance_step DESC, tie_break DESC, score DESC, t.id
    RETURN collect({node: t, cosine: cosine, relevance: relevance, copies: copies, revised_by: revised_by, solved_by: solved_by, score: score, similarity: similarity, recency: recency,
      salience: salience, access: access, contradiction: contradiction, via: via, tie_break: tie_break}) AS scored
  }

  // The hypothesis: which of the nearest knowledge supports it and which, by its words, contradicts it.
  // In: new. Out: supports and contradicts, counts; evidence, a list of {node, cosine, against}.
  CALL (verdict, namespace, created_at, hypothesis_test) {
    WITH * WHERE verdict = 'go' AND hypothesis_test IS NOT NULL
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR hypothesis_test.vector
        WHERE n.namespace = namespace
          AND n.valid_from <= created_at AND n.valid_to > created_at  // part: valid_at(n, created_at)
        LIMIT $evidence_pool
      ) SCORE AS index_score
    WITH n, 2 * index_score - 1 AS cosine ORDER BY cosine DESC, n.id
    WITH collect({node: n, cosine: cosine}) AS nearest
    WITH [e IN nearest[..hypothesis_test.top_k] WHERE e.cosine >= hypothesis_test.min_cosine |
      e {.*, against: coalesce(toStringOrNull(e.node.content), toStringOrNull(e.node.name + ': ' + coalesce(e.node.description, ''))) =~ hypothesis_test.pattern}] AS evidence
    WITH [e IN evidence WHERE NOT e.against] AS supporting, [e IN evidence WHERE e.against] AS contradicting
    RETURN size(supporting) AS supports, size(contradicting) AS contradicts,
      // A slice by null is null, and a null list would leave everything unlocked below.
      coalesce(supporting[..hypothesis_test.limit] + contradicting[..hypothesis_test.limit], []) AS evidence
  }

  // In: new. Out: links, each with its target, or null when the target does not exist.
  CALL (verdict, new, namespace) {
    UNWIND new.links AS link
    OPTIONAL MATCH (target:Thought {id: link.id}) WHERE verdict = 'go' AND target.namespace = namespace
    RETURN collect({name: link.name, type: link.type, id: link.id, target: target}) AS links
  }
  // In: new. Out: waits, the thoughts whose links wait for this id.
  CALL (verdict, new, namespace) {
    OPTIONAL MATCH (:Pending {namespace: namespace, id: new.id})<-[wait:AWAITS]-(waiting:Thought) WHERE verdict = 'go'
    RETURN [w IN collect({type: wait.type, node: waiting}) WHERE w.node IS NOT NULL] AS waits
  }
  // A contradicted memory comes with what contradicts it most strongly, which ranks above it.
  // In: facts and scored. Out: ranked, a list of {memory, rank}.
  CALL (new, question, facts, scored, namespace, session_id, created_at, linked) {
    WITH new.thoughts_k + new.beyond_k AS most, [m IN scored WHERE NOT m.via IN ['standing', 'session']] AS usual
    UNWIND facts + usual[..most] + [m IN usual[most..] WHERE m.via IN ['revision', 'solution']]
      + [m IN scored WHERE m.via IN ['standing', 'session']] AS memory
    WITH memory, memory.node AS n
    WITH memory {.*,
      // part: contradicted_by(n, created_at, session_id, namespace)
      contradicted_by: reduce(strongest = [-2.0, null], c IN [
        c IN [(n)<-[link:CONTRADICTS]-(x) | {
          node: x, similarity: coalesce(link.similarity, 1.0),
          in_chain: CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
        }]
        WHERE c.node.namespace = namespace
          AND CASE WHEN c.node:Thought
            THEN
              c.node.content IS :: STRING NOT NULL  // part: not_redacted(c.node)
              AND CASE c.node.is_private WHEN false THEN true ELSE c.node.session_id = session_id END  // part: visible(c.node, session_id)
              AND c.in_chain
            ELSE
              c.node.valid_from <= created_at AND c.node.valid_to > created_at  // part: valid_at(c.node, created_at)
            END | [c.similarity, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
      // end of part
      copies: memory.copies} AS memory, n
    OPTIONAL MATCH (n)<-[:CONTRADICTS]-(by)
    WHERE by.id = memory.contradicted_by AND NOT by.id IN linked
      AND CASE WHEN by:Thought
        THEN
          by.created_at < created_at
          AND by.hot = true  // part: hot(by)
        ELSE true END
    WITH memory, n, head(collect(by)) AS by
    WITH memory, n, by, coalesce(2 * vector.similarity.cosine(by.embedding_a, question) - 1, 0.0) AS cosine
    UNWIND [memory] + CASE WHEN by IS NULL THEN [] ELSE [{
      node: by, cosine: cosine, relevance: memory.relevance + 0.02, copies: 1, via: 'contradiction', tie_break: false,
      score: cosine, similarity: cosine, recency: 0.0, salience: 0.0, access: 0.0, contradiction: 0.0, brought: true}] END AS item
    WITH item.node AS n, collect(item) AS items, max(item.relevance) AS relevance
    WITH head([item IN items WHERE item.brought IS NULL] + items) AS memory, relevance
    WITH memory {.*, relevance: relevance} AS memory
    ORDER BY round(memory.relevance * 50) DESC, memory.tie_break DESC, memory.score DESC, memory.node.id
    WITH collect(memory) AS ordered
    RETURN [i IN range(0, size(ordered) - 1) | {memory: ordered[i], rank: i + 1}] AS ranked
  }
  // In: every node that will get a relationship. Out: locked, how many. Locks them by id.
  CALL (ranked, evidence, links, waits) {
    UNWIND [r IN ranked | r.memory.node] + [e IN evidence | e.node]
      + [l IN links WHERE l.target IS NOT NULL | l.target] + [w IN waits | w.node] AS n
    WITH DISTINCT n ORDER BY n.id
    SET n.lock = 0
    RETURN count(n) AS locked
  }

  // In: everything above. Out: stored, the new thought.
  OPTIONAL CALL (
    verdict, other_slot, new, session, links, waits, ranked, evidence, supports, contradicts, namespace, session_id,
    recorded_at, hypothesis_test, properties
  ) {
    WITH * WHERE verdict = 'go'
    CREATE (t:Thought)
    SET t = properties
    // The locked session's thoughts have it in the order of their steps. See schema/i15_thought_stored.
    SET t.stored_at = datetime.realtime()
    SET t.embedding_deferred = coalesce(properties.embedding_deferred, other_slot),  // the vectors it still lacks
        t.injected_memories = [r IN ranked |
          toString(r.rank) + ' ' + toString(round(r.memory.score, 4)) + ' ' + r.memory.node.id],
        t.enriched_content =
          CASE WHEN new.submode IS NULL OR size(ranked) = 0 THEN '' ELSE 'Submode: ' + new.submode + '\n' END
          + reduce(text = CASE WHEN any(r IN ranked WHERE NOT r.memory.node:Thought) THEN 'Nearby entities:\n' ELSE '' END,
              r IN [r IN ranked WHERE NOT r.memory.node:Thought][..5] |
              text + '- (' + left(toString(round(r.memory.cosine, 2)) + '00', 4) + ') '
                + coalesce(toStringOrNull(r.memory.node.name), left(toStringOrNull(r.memory.node.content), 200), '')
                + CASE WHEN coalesce(toStringOrNull(r.memory.node.entity_type), '') = '' THEN '\n'
                       ELSE ' [' + toString(r.memory.node.entity_type) + ']\n' END)
          + reduce(text = CASE WHEN any(r IN ranked WHERE r.memory.node:Thought) THEN 'Earlier thoughts:\n' ELSE '' END,
              r IN [r IN ranked WHERE r.memory.node:Thought][..3] |
              text + '- (' + left(toString(round(r.memory.score, 2)) + '00', 4) + ') '
                + left(coalesce(toStringOrNull(r.memory.node.content), ''), 200) + '\n')
    FOREACH (_ IN CASE WHEN hypothesis_test.persist THEN [1] ELSE [] END |
      SET t.verification = [e IN evidence |
            CASE WHEN e.against THEN 'contradicts ' ELSE 'supports ' END + toString(round(e.cosine, 4)) + ' ' + e.node.id],
          t.verification_supports = supports, t.verification_contradicts = contradicts)
    FOREACH (e IN [e IN evidence WHERE hypothesis_test.persist AND NOT e.against] |
      FOREACH (n IN [e.node] | CREATE (n)-[:REINFORCES {similarity: round(e.cosine, 4), created_at: recorded_at}]->(t)))
    FOREACH (e IN [e IN evidence WHERE hypothesis_test.persist AND e.against] |
      FOREACH (n IN [e.node] | CREATE (n)-[:CONTRADICTS {similarity: round(e.cosine, 4), created_at: recorded_at}]->(t)))
    // In: the new thought. Out: nothing; stores its vector.
    CALL (t, new) {
      WITH * WHERE new.vector IS NOT NULL  // null while the embedder is down
      CALL db.create.setNodeVectorProperty(t, 'embedding_a', new.vector)
    }
    FOREACH (_ IN CASE WHEN session_id IS NULL THEN [] ELSE [1] END |
      CREATE (t)-[:IN_SESSION]->(session)
      SET session.head_hash = properties.chain_hash, session.head_step = properties.step_index,
          session.head_id = new.id, session.head_key_id = properties.key_id,
          session.has_private = coalesce(session.has_private, false) OR properties.is_private)
    FOREACH (_ IN CASE WHEN properties.action_id IS NULL THEN [] ELSE [1] END |
      MERGE (action:Action {namespace: namespace, id: properties.action_id})
      ON CREATE SET action.created_at = recorded_at
      CREATE (t)-[:FOR_ACTION]->(action))
    // In: links with a target. Out: nothing; creates them.
    CALL (t, links) {
      UNWIND links AS link
      WITH link, link.target AS target WHERE target IS NOT NULL
      CREATE (t)-[:$(link.type)]->(target)
    }
    // In: links without a target. Out: nothing; makes them wait.
    CALL (t, links, namespace) {
      UNWIND links AS link
      WITH link WHERE link.target IS NULL
      MERGE (p:Pending {namespace: namespace, id: link.id})
      CREATE (t)-[:AWAITS {type: link.type}]->(p)
    }
    // In: waits. Out: nothing; creates the links that waited for this thought.
    CALL (t, waits) {
      UNWIND waits AS wait
      WITH wait, wait.node AS waiting
      CREATE (waiting)-[:$(wait.type)]->(t)
    }
    // In: waits. Out: nothing; deletes the node they waited at.
    CALL (new, waits, namespace) {
      WITH * WHERE size(waits) > 0
      MATCH (p:Pending {namespace: namespace, id: new.id})
      DETACH DELETE p
    }
    // Every memory's accesses are counted, but not those of the fallback and of the rest of a session: nothing shows that
    // they are related. Of the thoughts only the strongest keep a relationship. Its score has four decimals, as in results: Neo4j Browser shows it as a caption and
    // cannot round. The weight is exact, since it decays.
    // In: ranked. Out: nothing.
    CALL (t, ranked, recorded_at, properties) {
      WITH [r IN ranked WHERE r.memory.node:Thought AND r.memory.via <> 'session'][..$recalls_cap] AS kept
      WITH CASE WHEN size(kept) = 0 THEN 0 ELSE kept[-1].rank END AS last
      UNWIND ranked AS r
      WITH r, last, r.memory AS m, r.memory.node AS node
      WHERE NOT m.via IN ['fallback', 'session']
      SET node.access_count = coalesce(toIntegerOrNull(node.access_count), 0) + 1, node.last_accessed = recorded_at
      WITH * WHERE r.rank <= last OR NOT node:Thought
      CREATE (t)-[:RECALLS {rank: r.rank, score: round(m.score, 4), cosine: m.cosine, similarity: m.similarity,
        recency: m.recency, salience: m.salience, access: m.access, contradiction: m.contradiction,
        weight: m.score, via: m.via,
        copies: CASE WHEN m.copies > 1 THEN m.copies END, revised_by: m.revised_by, solved_by: m.solved_by,
        contradicted_by: m.contradicted_by, mode: properties.mode, scale: properties.injection_scale,
        created_at: recorded_at, last_accessed: recorded_at}]->(node)
    }
    RETURN t AS stored
  }

  // The result of an earlier try is read back from what it stored: lines of "rank score id" and "verdict similarity id".
  // In: same, the stored thought. Out: earlier, as ranked.
  CALL (same) {
    UNWIND same.injected_memories AS line
    WITH split(line, ' ') AS fields, line
    MATCH (node:Thought|Entity|Observation {id: substring(line, size(fields[0]) + size(fields[1]) + 2), namespace: same.namespace})
    OPTIONAL MATCH (same)-[r:RECALLS]->(node)
    WITH fields, node, r ORDER BY toInteger(fields[0])
    RETURN collect({rank: toInteger(fields[0]), memory: coalesce(r {.*, node: node}, {node: node, score: toFloat(fields[1]), via: CASE WHEN same.mode = 'conclude' AND node.session_id = same.session_id THEN 'session' WHEN node:Thought OR same.pruned_at IS NOT NULL THEN 'pruned' ELSE 'fallback' END})}) AS earlier
  }
  // In: same. Out: tested, as evidence.
  CALL (same) {
    UNWIND same.verification AS line
    WITH split(line, ' ') AS fields, line
    MATCH (node:Entity|Observation {id: substring(line, size(fields[0]) + size(fields[1]) + 2), namespace: same.namespace})
    RETURN collect({node: node, cosine: toFloat(fields[1]), against: fields[0] = 'contradicts'}) AS tested
  }
  WITH new, session, links, stored, same,
    CASE verdict WHEN 'exists' THEN earlier ELSE ranked END AS shown,
    CASE verdict WHEN 'exists' THEN tested ELSE evidence END AS evidence, coalesce(missed, 0) AS missed,
    CASE WHEN same IS NOT NULL THEN {supports: same.verification_supports, contradicts: same.verification_contradicts}
         WHEN hypothesis_test IS NULL THEN {}
         ELSE {supports: supports, contradicts: contradicts} END AS verified
  RETURN
    CASE WHEN session IS NULL THEN null
      ELSE {hash: session.head_hash, step: session.head_step, thought_id: session.head_id, key_id: session.head_key_id} END AS head,
    [l IN links | {name: l.name, id: l.id, found: l.target IS NOT NULL}] AS links,
    [s IN shown | {
      id: s.memory.node.id,
      kind: toLower([label IN labels(s.memory.node) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(s.memory.node)
      text: CASE WHEN s.memory.node:Entity
        THEN left(coalesce(toStringOrNull(s.memory.node.name + coalesce(': ' + s.memory.node.description, '')), ''), $text_length)
        ELSE left(coalesce(toStringOrNull(s.memory.node.content), ''), $text_length) END,
      score: s.memory.score, rank: s.rank, cosine: s.memory.cosine, via: s.memory.via,
      copies: coalesce(s.memory.copies, 1), revised_by: s.memory.revised_by, solved_by: s.memory.solved_by,
      contradicted_by: s.memory.contradicted_by, standing: s.memory.node.standing,
      created_at: [at IN [coalesce(s.memory.node.created_at, s.memory.node.recorded_at)] WHERE at IS :: ZONED DATETIME NOT NULL | toString(at)][0],
      author: s.memory.node.author,
      parts: {similarity: s.memory.similarity, recency: s.memory.recency, salience: s.memory.salience,
              access: s.memory.access, contradiction: s.memory.contradiction}
    }] AS memories,
    CASE WHEN verified.supports IS NULL THEN null ELSE verified {.*,
      evidence: [e IN evidence | {
        id: e.node.id, kind: CASE WHEN e.node:Entity THEN 'entity' ELSE 'observation' END,
        text: left(coalesce(toStringOrNull(e.node.content), toStringOrNull(e.node.name + coalesce(': ' + e.node.description, '')), ''), $text_length),
        similarity: e.cosine, against: e.against}]
    } END AS verification,
    missed,
    [n IN [stored] + [s IN shown WHERE s.memory.node:Thought | s.memory.node] WHERE $most_relationships > 0 AND COUNT { (n)--() } > $most_relationships |
      {id: n.id, relationships: COUNT { (n)--() }}] AS crowded,
    CASE WHEN same IS NULL THEN stored {.enriched_content}
      ELSE same {.*, embedding_a: null, embedding_b: null, awaits: [(same)-[:AWAITS]->(p) | p.id]} END AS stored
}
RETURN CASE verdict WHEN 'go' THEN 'stored' ELSE verdict END AS verdict, new.id AS id, head, links, memories, missed, verification, crowded, stored, COUNT { () } AS nodes
