// part: ranking(vector, request)
// In: candidates, a list of {node, cosine, text_score}; {{vector}}; {{request}}, a map of text/query_analysis.
// Out: rows of t, cosine, text_score, score and parts, best first.
UNWIND candidates AS candidate
WITH candidate.node AS t, candidate.text_score AS text_score,
  coalesce(candidate.cosine, 2 * vector.similarity.cosine(candidate.node.embedding_a, {{vector}}) - 1, 0.0) AS cosine,
  ' ' + replace(toLower(left(toStringOrNull(candidate.node.content), 600)), '\n', ' ') AS beginning,
  CASE WHEN size(toStringOrNull(candidate.node.content)) > 600 THEN ' ' + replace(toLower(left(toStringOrNull(candidate.node.content), 2000)), '\n', ' ') END AS text
WITH collect({node: t, cosine: cosine, text_score: text_score,
    found: [word IN {{request}}.words | CASE WHEN beginning CONTAINS word THEN 1.0 WHEN text CONTAINS word THEN 0.25 ELSE 0.0 END]}) AS measured,
  toFloat(count(*)) AS candidate_count, avg(cosine) AS cosine_mean, stDevP(cosine) AS cosine_sd
// A word counts a quarter after the first 600 characters, where long texts mention everything.
// part: word_sums({{request}}.words)
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
    WHEN toLower(toStringOrNull(t.author)) IN {{request}}.names OR split(toLower(toStringOrNull(t.author)), ' ')[0] IN {{request}}.names THEN t.author
  END) AS named
UNWIND rows AS row
WITH row.node AS t, row.candidate AS candidate, {{request}} AS request, {
    meaning: 0.5 * row.candidate.cosine_z,
    words: 0.25 * row.candidate.text_z,
    // Bounded: one rare word must not lift a whole session above candidates with the same meaning.
    session: CASE WHEN session_sd <= 1e-9 THEN 0.0 WHEN row.session_score > session_mean + 2.5 * session_sd THEN 1.25
      ELSE 0.5 * (row.session_score - session_mean) / session_sd END * {{request}}.links,
    beside: CASE WHEN neighbour_sd <= 1e-9 THEN 0.0 WHEN row.neighbour_score > neighbour_mean + 2.5 * neighbour_sd THEN 0.75
      ELSE 0.3 * (row.neighbour_score - neighbour_mean) / neighbour_sd END * {{request}}.links,
    answer: 0.2 * row.asked_score,
    question: CASE WHEN row.candidate.is_question THEN -1.0 ELSE 0.0 END,
    author: CASE WHEN size(named) = 1 AND row.node.author = named[0] THEN 1.5 ELSE 0.0 END,
    mass: CASE WHEN {{request}}.mass > 0 AND row.node.mass > 0.15 THEN {{request}}.mass * log(row.node.mass / 0.15) ELSE 0.0 END  // part: mass(row.node, {{request}})
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
