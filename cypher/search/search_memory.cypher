// Finds candidates by meaning and by words, adds what they are linked to, and ranks them together.
//
// Full text finds names and numbers that a vector blurs. Vectors find the same meaning in other words. The thought
// next to a good hit in a session is often the answer. So every signal is standardised over the candidates and added
// up: meaning .5, words .25, the best of the same session by distance .5, the best neighbour .3, the last two bounded.
// shared/eval measured the weights on conversations; fusing by rank alone was worse than full text. A score has the
// unit of a cosine. The other thoughts follow the ranked candidates in the order of their cosine, so that all pages
// have one order and an end. With $pool 0, all are ordered by cosine.
//
// The text is planned once, whatever the filters: the map $request holds everything that may be null or empty, since
// the server plans anew for every combination of types. near_thoughts composes the filters that an index answers; its
// result comes as $request.nearest.
//
// active: whether the index that was searched is still the one in use.
//
// A candidate is {node, cosine, text_score}; a ranked candidate is {node, cosine, score, parts}.
:param namespace => 'default';
:param own_session => '';
:param kinds => ['thought', 'entity', 'observation'];
:param vector => [x IN range(1, 384) | 0.1];
:param text_query => 'retry';
:param request => ({nearest: null, redactions: false, exact: {}, least: {}, most: {}, lists: {}, words: [' retry'], names: [], years: [], months: [], day: -1000, spans: [], asks_when: false, time_pattern: '', expected_pattern: '', links: 1.0, mass: 0.0, standing: {k: 2, threshold: 0.4, zero: 0.1, least: 0.45, words: [' retry'], word_count: 1}});
:param standing_pool => 64;
:param as_of => datetime();
:param pool => 60;
:param text_limit => 960;
:param index_limit => 64;
:param last_index => 59;
:param deep_limit => 1001;
:param take => 11;
:param skip => 0;
:param after => '';
:param page => 11;
:param slack => 0;
:param knowledge_skip => 0;
:param knowledge_after => '';
:param min_similarity => -2.0;
:param explain => true;
:param text_length => 600;
CYPHER 25
// In: the parameters. Out: thoughts near $vector with their cosine; public_row and private_row count the rows of each index
// search.
CALL () {
  WITH 1 AS one WHERE 'thought' IN $kinds AND $request.nearest IS NULL
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace
        AND t.is_private = false  // part: public(t)
      LIMIT $index_limit
    ) SCORE AS index_score
  RETURN t, 2 * index_score - 1 AS cosine, 1 AS public_row, 0 AS private_row
  UNION ALL
  // Private thoughts are found in their own session only.
  MATCH (session:Session {namespace: $namespace, id: $own_session})
  WHERE session.has_private AND 'thought' IN $kinds AND $request.nearest IS NULL
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace
        AND t.session_id = $own_session AND t.is_private = true  // part: own_private(t)
      LIMIT $index_limit
    ) SCORE AS index_score
  RETURN t, 2 * index_score - 1 AS cosine, 0 AS public_row, 1 AS private_row
  UNION ALL
  UNWIND coalesce($request.nearest, []) AS found
  MATCH (t:Thought {id: found.id})
  RETURN t, found.cosine AS cosine, 0 AS public_row, 0 AS private_row
}
WITH t, cosine, public_row, private_row ORDER BY cosine DESC, t.id
WITH collect({node: t, cosine: cosine}) AS nearest,
  CASE WHEN sum(public_row) = $index_limit THEN min(CASE public_row WHEN 1 THEN cosine END) END AS public_end,
  CASE WHEN sum(private_row) = $index_limit THEN min(CASE private_row WHEN 1 THEN cosine END) END AS private_end
// When the last candidate is as near as the last row of the index, the index may have cut a tie, and another page could
// get other equals. Then each page is cut from the same long list.
WITH nearest, coalesce(nearest[$last_index].cosine <= public_end OR nearest[$last_index].cosine <= private_end, false) AS tied
// In: tied. Out: deeper, the same search with $deep_limit, as a list of candidates; empty unless tied.
CALL (tied) {
  // In: tied. Out: its rows, public thoughts and the session's private ones.
  CALL (tied) {
    WITH tied WHERE tied
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.is_private = false  // part: public(t)
        LIMIT $deep_limit
      ) SCORE AS index_score
    RETURN t, 2 * index_score - 1 AS cosine
    UNION ALL
    MATCH (session:Session {namespace: $namespace, id: $own_session}) WHERE session.has_private AND tied
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.session_id = $own_session AND t.is_private = true  // part: own_private(t)
        LIMIT $deep_limit
      ) SCORE AS index_score
    RETURN t, 2 * index_score - 1 AS cosine
  }
  WITH t, cosine ORDER BY cosine DESC, t.id
  RETURN collect({node: t, cosine: cosine}) AS deeper
}
WITH CASE WHEN tied THEN deeper ELSE nearest END AS nearest
// In: the parameters. Out: text_hits, at most $pool candidates by words, filtered.
CALL () {
  WITH 1 AS one WHERE 'thought' IN $kinds AND $pool > 0
  CALL db.index.fulltext.queryNodes('thought_text', $text_query, {limit: $text_limit}) YIELD node AS t, score
  WITH t, score
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
    // end of part
  WITH t, score LIMIT $pool
  RETURN collect({node: t, text_score: score}) AS text_hits
}
// In: nearest and text_hits. Out: candidates, each node once, with up to eight linked thoughts of each.
CALL (nearest, text_hits) {
  UNWIND nearest[..$pool] + text_hits AS found
  WITH found.node AS hit, max(found.cosine) AS hit_cosine, max(found.text_score) AS hit_text_score
  // In: one hit. Out: the hit, then the thoughts linked to it, without scores.
  CALL (hit, hit_cosine, hit_text_score) {
    RETURN hit AS t, hit_cosine AS cosine, hit_text_score AS text_score
    UNION ALL
    MATCH (hit)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]-(t:Thought)
    WITH t LIMIT 8  // before the conditions: else the planner begins at an index of time, and reads all of it
    WHERE t.namespace = $namespace
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
      AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
      // part: passes_filters(t)
      AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
      AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
      AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
      AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
      // end of part
    RETURN t, null AS cosine, null AS text_score
  }
  WITH t, max(cosine) AS cosine, max(text_score) AS text_score
  RETURN collect({node: t, cosine: cosine, text_score: text_score}) AS candidates
}
// In: candidates. Out: ranked, best first.
CALL (candidates) {
  // part: ranking($vector, $request)
  UNWIND candidates AS candidate
  WITH candidate.node AS t, candidate.text_score AS text_score,
    coalesce(candidate.cosine, 2 * vector.similarity.cosine(candidate.node.embedding_a, $vector) - 1, 0.0) AS cosine,
    ' ' + replace(toLower(left(toStringOrNull(candidate.node.content), 600)), '\n', ' ') AS beginning,
    CASE WHEN size(toStringOrNull(candidate.node.content)) > 600 THEN ' ' + replace(toLower(left(toStringOrNull(candidate.node.content), 2000)), '\n', ' ') END AS text
  WITH collect({node: t, cosine: cosine, text_score: text_score,
      found: [word IN $request.words | CASE WHEN beginning CONTAINS word THEN 1.0 WHEN text CONTAINS word THEN 0.25 ELSE 0.0 END]}) AS measured,
    toFloat(count(*)) AS candidate_count, avg(cosine) AS cosine_mean, stDevP(cosine) AS cosine_sd
  // A word counts a quarter after the first 600 characters, where long texts mention everything.
  // part: word_sums($request.words)
  WITH *, [n IN range(0, size($request.words) - 1) | log((candidate_count + 1) / (size([m IN measured WHERE m.found[n] = 1.0]) + 0.5))] AS weights
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
      WHEN toLower(toStringOrNull(t.author)) IN $request.names OR split(toLower(toStringOrNull(t.author)), ' ')[0] IN $request.names THEN t.author
    END) AS named
  UNWIND rows AS row
  WITH row.node AS t, row.candidate AS candidate, $request AS request, {
      meaning: 0.5 * row.candidate.cosine_z,
      words: 0.25 * row.candidate.text_z,
      // Bounded: one rare word must not lift a whole session above candidates with the same meaning.
      session: CASE WHEN session_sd <= 1e-9 THEN 0.0 WHEN row.session_score > session_mean + 2.5 * session_sd THEN 1.25
        ELSE 0.5 * (row.session_score - session_mean) / session_sd END * $request.links,
      beside: CASE WHEN neighbour_sd <= 1e-9 THEN 0.0 WHEN row.neighbour_score > neighbour_mean + 2.5 * neighbour_sd THEN 0.75
        ELSE 0.3 * (row.neighbour_score - neighbour_mean) / neighbour_sd END * $request.links,
      answer: 0.2 * row.asked_score,
      question: CASE WHEN row.candidate.is_question THEN -1.0 ELSE 0.0 END,
      author: CASE WHEN size(named) = 1 AND row.node.author = named[0] THEN 1.5 ELSE 0.0 END,
      mass: CASE WHEN $request.mass > 0 AND row.node.mass > 0.15 THEN $request.mass * log(row.node.mass / 0.15) ELSE 0.0 END  // part: mass(row.node, $request)
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
  RETURN collect({node: t, cosine: cosine, score: score, parts: parts}) AS ranked
}
WITH nearest, ranked, [r IN ranked | r.node] AS ranked_nodes, CASE WHEN size(ranked) = 0 THEN 1.0 ELSE ranked[-1].score END AS last_score
WITH ranked + [n IN nearest[$pool..] WHERE NOT n.node IN ranked_nodes |
  {node: n.node, cosine: n.cosine, score: CASE WHEN n.cosine < last_score THEN n.cosine ELSE last_score END, parts: null}] AS ordered
WITH [r IN ordered WHERE r.cosine >= $min_similarity][..$take] AS thoughts

// A page of thought_hits, each after its latest revision that passes the filters, if there is one, and each once, at its
// first place. Of a hit before the page, only the place is kept. Not in a subquery: its rows would each be charged with
// all lists.
UNWIND range(0, size(thoughts) - 1) AS place
WITH place, thoughts[place] AS result, thoughts[place].node AS revised
// part: latest_revision()
CALL (revised) {
  OPTIONAL MATCH (revised)<-[:REVISES]-{1,8}(t:Thought)
  // Not in WHERE: the planner could begin at an index of all thoughts.
  WITH CASE
    WHEN t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
    // end of part
    THEN t
  END AS t ORDER BY t.created_at DESC, t.id
  RETURN head(collect(t)) AS latest
}
// end of part
// part: contradicting()
CALL (revised) {
  OPTIONAL MATCH (revised)<-[link:CONTRADICTS]-(t:Thought)
  WITH CASE
    WHEN t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
    // end of part
    THEN t
  END AS t, link.similarity AS similarity ORDER BY coalesce(similarity, 1.0) DESC, t.id DESC
  RETURN head(collect(t)) AS against
}
// end of part
UNWIND [brought IN [latest, against] WHERE brought IS NOT NULL] + [revised] AS t
WITH t, min(3 * place + CASE t WHEN revised THEN 2 WHEN latest THEN 0 ELSE 1 END) AS place, max(result.score) AS score,
  max(CASE t WHEN revised THEN result.cosine END) AS cosine, head(collect(CASE t WHEN revised THEN result.parts END)) AS parts
ORDER BY place
WITH collect({node: t, score: score, cosine: cosine, parts: parts}) AS places
UNWIND
  [begin IN [coalesce([i IN range($skip - 1 - $slack, $skip - 1 + $slack) WHERE i >= 0 AND places[i].node.id = $after | i + 1][0], $skip)] | places[begin..begin + $page]][0]  // part: page_of(places, $skip, $after)
  AS shown
WITH collect(shown) AS page  // no row below is charged with all places
UNWIND page AS shown
WITH shown, shown.node AS t
WITH collect(t {
  // part: thought_hit(t)
  .id, kind: 'thought', text: left(coalesce(toStringOrNull(t.content), ''), $text_length),
  .author, .mode, .thought_type, .origin, .session_id, .chain_id, .confidence,
  created_at: toString(CASE WHEN t.created_at IS :: ZONED DATETIME THEN t.created_at END),  // part: time_text(t.created_at)
  standing: CASE WHEN t.standing = true THEN true END,
  step_index: CASE WHEN t.step_index IS :: INTEGER THEN t.step_index END,  // part: step(t)
  outside_chain: CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END <> CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END,  // part: in_chain(t, <>)
  // end of part
  // part: revised_by(t)
  revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
    x IN [(t)<-[:REVISES*1..8]-(revision) | revision]
    WHERE x.namespace = $namespace
      AND CASE WHEN x:Thought
        THEN
          x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END  // part: visible(x, $own_session)
          AND CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
        ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
  // end of part
  // part: solved_by(t)
  solved_by: reduce(best = [-1.0, datetime('0001-01-01'), null], solution IN [
    s IN [(t)<-[:REVISES*0..8]-()<-[:SOLVES]-(first) | reduce(latest = null, x IN [
      x IN [(first)<-[:REVISES*0..8]-(version) | version]
      WHERE x.namespace = $namespace
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END  // part: visible(x, $own_session)
        AND x.hot = true  // part: hot(x)
        AND CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
      ] | CASE WHEN latest IS NULL OR x.created_at > latest.created_at THEN x ELSE latest END)]
    WHERE s IS NOT NULL | [coalesce(s.salience, 0.0), s.created_at, s.id]] | CASE WHEN solution > best THEN solution ELSE best END)[2],
  // end of part
  // part: contradicted_by(t, $as_of)
  contradicted_by: reduce(strongest = [-2.0, null], c IN [
    c IN [(t)<-[link:CONTRADICTS]-(x) | {
      node: x, similarity: coalesce(link.similarity, 1.0),
      in_chain: CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
    }]
    WHERE c.node.namespace = $namespace
      AND CASE WHEN c.node:Thought
        THEN
          c.node.content IS :: STRING NOT NULL  // part: not_redacted(c.node)
          AND CASE c.node.is_private WHEN false THEN true ELSE c.node.session_id = $own_session END  // part: visible(c.node, $own_session)
          AND c.in_chain
        ELSE
          c.node.valid_from <= $as_of AND c.node.valid_to > $as_of  // part: valid_at(c.node, $as_of)
        END | [c.similarity, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
  // end of part
  score: shown.score, cosine: coalesce(shown.cosine, 2 * vector.similarity.cosine(t.embedding_a, $vector) - 1, 0.0),
  parts: CASE WHEN $explain THEN shown.parts END
}) AS thought_hits

// In: the parameters. Out: knowledge, a page of the hits among entities and observations, found and ranked as thoughts are.
CALL () {
  WITH 1 AS one WHERE 'entity' IN $kinds OR 'observation' IN $kinds
  // In: the parameters. Out: nearest, candidates by meaning.
  CALL () {
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR $vector
        WHERE n.namespace = $namespace AND n.kind IN $kinds
          AND n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
        LIMIT $index_limit
      ) SCORE AS index_score
    WITH n, 2 * index_score - 1 AS cosine ORDER BY cosine DESC, n.id
    RETURN collect({node: n, cosine: cosine}) AS nearest
  }
  WITH nearest, coalesce(size(nearest) = $index_limit AND nearest[$last_index].cosine <= nearest[-1].cosine, false) AS tied
  // In: tied. Out: deeper, the same search with $deep_limit; empty unless tied.
  CALL (tied) {
    WITH tied WHERE tied
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR $vector
        WHERE n.namespace = $namespace AND n.kind IN $kinds
          AND n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
        LIMIT $deep_limit
      ) SCORE AS index_score
    WITH n, 2 * index_score - 1 AS cosine ORDER BY cosine DESC, n.id
    RETURN collect({node: n, cosine: cosine}) AS deeper
  }
  WITH CASE WHEN tied THEN deeper ELSE nearest END AS nearest
  // In: the parameters. Out: text_hits, at most $pool candidates by words.
  CALL () {
    WITH 1 AS one WHERE $pool > 0
    CALL db.index.fulltext.queryNodes('knowledge_text', $text_query, {limit: $text_limit}) YIELD node AS n, score
    WITH n, score
    WHERE n.namespace = $namespace AND n.kind IN $kinds
      AND n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
    WITH n, score LIMIT $pool
    RETURN collect({node: n, text_score: score}) AS text_hits
  }
  // In: nearest and text_hits. Out: ranked, best first.
  CALL (nearest, text_hits) {
    UNWIND nearest[..$pool] + text_hits AS found
    WITH found.node AS n, max(found.cosine) AS index_cosine
    WITH n, coalesce(index_cosine, 2 * vector.similarity.cosine(n.embedding_a, $vector) - 1, 0.0) AS cosine,
      ' ' + replace(toLower(left(coalesce(toStringOrNull(n.content), toStringOrNull(n.name + coalesce(' ' + n.description, '')), ''), 2000)), '\n', ' ') AS text
    // Words weigh as in the ranking of thoughts.
    WITH collect({node: n, cosine: cosine, found: [word IN $request.words | CASE WHEN text CONTAINS word THEN 1.0 ELSE 0.0 END]}) AS measured,
      toFloat(count(*)) AS candidate_count, avg(cosine) AS cosine_mean, stDevP(cosine) AS cosine_sd
    // part: word_sums($request.words)
    WITH *, [n IN range(0, size($request.words) - 1) | log((candidate_count + 1) / (size([m IN measured WHERE m.found[n] = 1.0]) + 0.5))] AS weights
    UNWIND measured AS candidate
    WITH candidate, cosine_mean, cosine_sd, reduce(sum = 0.0, n IN range(0, size(weights) - 1) | sum + weights[n] * candidate.found[n]) AS words
    // end of part
    WITH collect({node: candidate.node, cosine: candidate.cosine, words: words}) AS measured, cosine_mean, cosine_sd,
      avg(words) AS text_mean, stDevP(words) AS text_sd
    UNWIND measured AS candidate
    WITH candidate, cosine_mean, cosine_sd,
      CASE WHEN cosine_sd > 1e-9 THEN (candidate.cosine - cosine_mean) / cosine_sd ELSE 0.0 END AS cosine_z,
      CASE WHEN text_sd > 1e-6 THEN (candidate.words - text_mean) / text_sd ELSE 0.0 END AS text_z
    // An observation gains when its entity matches, and an entity when its observations do.
    // In: one candidate. Out: the candidate, then its combined score for each of its neighbours.
    CALL (candidate, cosine_mean, cosine_sd, cosine_z, text_z) {
      RETURN candidate.node AS n, {cosine: candidate.cosine, mean: cosine_mean, sd: cosine_sd, cosine_z: cosine_z, text_z: text_z} AS own,
        null AS neighbour_score
      UNION ALL
      WITH candidate.node AS neighbour, cosine_z + text_z AS combined
      MATCH (neighbour)-[:ABOUT]-(n)
      RETURN n, null AS own, combined AS neighbour_score LIMIT 8
    }
    WITH n, head(collect(own)) AS standardised, coalesce(max(neighbour_score), 0.0) AS neighbour_score
    WHERE standardised IS NOT NULL
    WITH n, standardised,
      {
        meaning: 0.5 * standardised.cosine_z, words: 0.25 * standardised.text_z, beside: 0.15 * neighbour_score,
        mass: CASE WHEN $request.mass > 0 AND n.mass > 0.15 THEN $request.mass * log(n.mass / 0.15) ELSE 0.0 END  // part: mass(n, $request)
      } AS parts
    WITH n, standardised.cosine AS cosine,
      round(standardised.mean + standardised.sd * (parts.meaning + parts.words + parts.beside + parts.mass) / 1.05, 6) AS score, parts
    ORDER BY score DESC, n.id
    RETURN collect({node: n, cosine: cosine, score: score, parts: parts}) AS ranked
  }
  WITH nearest, ranked, [r IN ranked | r.node] AS ranked_nodes, CASE WHEN size(ranked) = 0 THEN 1.0 ELSE ranked[-1].score END AS last_score
  WITH ranked + [n IN nearest[$pool..] WHERE NOT n.node IN ranked_nodes |
    {node: n.node, cosine: n.cosine, score: CASE WHEN n.cosine < last_score THEN n.cosine ELSE last_score END, parts: null}] AS ordered
  WITH [r IN ordered WHERE r.cosine >= $min_similarity][..$take] AS places
  UNWIND
    [begin IN [coalesce([i IN range($knowledge_skip - 1 - $slack, $knowledge_skip - 1 + $slack) WHERE i >= 0 AND places[i].node.id = $knowledge_after | i + 1][0], $knowledge_skip)] | places[begin..begin + $page]][0]  // part: page_of(places, $knowledge_skip, $knowledge_after)
    AS result
  WITH collect(result) AS page  // no row below is charged with all places
  UNWIND page AS result
  WITH result, result.node AS n
  OPTIONAL MATCH (n)-[:ABOUT]->(about:Entity)
  WITH result, n, head(collect(about.name)) AS entity
  RETURN collect({
    // part: knowledge_hit(n, entity)
    id: n.id, kind: n.kind,
    text: left(coalesce(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END), ''), $text_length),
    created_at: toString(CASE WHEN n.recorded_at IS :: ZONED DATETIME THEN n.recorded_at END),  // part: time_text(n.recorded_at)
    entity: coalesce(n.name, entity), entity_type: n.entity_type,
    valid_from: toString(CASE WHEN n.valid_from IS :: ZONED DATETIME THEN n.valid_from END),  // part: time_text(n.valid_from)
    valid_to: toString(CASE WHEN n.valid_to IS :: ZONED DATETIME THEN n.valid_to END),  // part: time_text(n.valid_to)
    // end of part
    // part: revised_by(n)
    revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
      x IN [(n)<-[:REVISES*1..8]-(revision) | revision]
      WHERE x.namespace = $namespace
        AND CASE WHEN x:Thought
          THEN
            x.content IS :: STRING NOT NULL  // part: not_redacted(x)
            AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END  // part: visible(x, $own_session)
            AND CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
          ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
    // end of part
    // part: contradicted_by(n, $as_of)
    contradicted_by: reduce(strongest = [-2.0, null], c IN [
      c IN [(n)<-[link:CONTRADICTS]-(x) | {
        node: x, similarity: coalesce(link.similarity, 1.0),
        in_chain: CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
      }]
      WHERE c.node.namespace = $namespace
        AND CASE WHEN c.node:Thought
          THEN
            c.node.content IS :: STRING NOT NULL  // part: not_redacted(c.node)
            AND CASE c.node.is_private WHEN false THEN true ELSE c.node.session_id = $own_session END  // part: visible(c.node, $own_session)
            AND c.in_chain
          ELSE
            c.node.valid_from <= $as_of AND c.node.valid_to > $as_of  // part: valid_at(c.node, $as_of)
          END | [c.similarity, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
    // end of part
    score: result.score, cosine: result.cosine, parts: CASE WHEN $explain THEN result.parts END
  }) AS knowledge
}
// Standing preferences and instructions with a related topic, as think recalls them. They are no hits: the ranking of the
// others does not change.
// In: the parameters. Out: standing, at most $request.standing.k thoughts.
CALL () {
  WITH $request.standing AS rule, $as_of AS moment WHERE rule.k > 0
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, standing, created_at)
  WHERE t.namespace = $namespace AND t.standing = true AND t.created_at <= moment
  WITH * ORDER BY t.namespace DESC, t.standing DESC, t.created_at DESC, t.id LIMIT $standing_pool
  WITH *
  WHERE t.hot = true  // part: hot(t)
    AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
    // part: in_force(t, $as_of)
    AND size([
      x IN [(t)<-[:REVISES|CONTRADICTS]-(later) | later]
      WHERE x.namespace = $namespace
        AND coalesce(x.created_at <= $as_of, true)  // part: existed(x, $as_of)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought)  // part: visible_node(x, $own_session)
        AND CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
      ]) = 0
    // end of part
  WITH rule, t, coalesce(2 * vector.similarity.cosine(t.embedding_a, $vector) - 1, 0.0) AS cosine,
    ' ' + replace(toLower(left(t.content, 2000)), '\n', ' ') AS text
  WITH rule, {
    node: t, cosine: cosine,
    related: (cosine - rule.zero) / (rule.threshold - rule.zero) + toFloat(size([word IN rule.words WHERE text CONTAINS word])) / rule.word_count  // part: relatedness(rule)
  } AS c
  WHERE c.related >= rule.least
  WITH c ORDER BY c.related DESC, c.node.created_at DESC, c.node.id LIMIT $take
  WITH c.node AS t, c.cosine AS cosine
  RETURN collect(t {
    .id, kind: 'thought', text: left(t.content, $text_length), created_at: toString(t.created_at), .author, .mode, .thought_type, .origin,
    .session_id, .chain_id, .step_index, .confidence, .standing, outside_chain: false,
    revised_by: null, solved_by: null, contradicted_by: null, score: cosine, cosine: cosine
  }) AS standing
}
RETURN thought_hits + knowledge AS hits, standing,
  EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
