// Finds for each of the newest $most public thoughts its nearest neighbours by vector, at most $k with a cosine of at least
// $least. Pairs from $duplicate are near duplicates; copies lists their thoughts. A step that records a redaction has no
// topic. GDS gives (1 + cosine) / 2. One thread and a fixed seed, so that the same thoughts have the same neighbours. The
// statement removes its projection. There is a row without thoughts too, which tells whether the slot is active.
:param graph => 'legacymind-sample-similar';
:param namespace => 'default';
:param most => 1000;
:param dimensions => 384;
:param k => 5;
:param least => 0.6;
:param duplicate => 0.95;
:param text_length => 300;
CYPHER 25
OPTIONAL CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND n.is_private = false  // part: public(n)
    AND n.content IS :: STRING NOT NULL  // part: not_redacted(n)
    AND n.redacts IS NULL
    AND CASE WHEN n.embedding_a IS :: LIST<FLOAT NOT NULL> NOT NULL THEN size(n.embedding_a) = $dimensions END
  WITH n ORDER BY n.namespace DESC, n.recorded_at DESC LIMIT $most
  WITH gds.graph.project($graph, n, null, {sourceNodeProperties: {vector: n.embedding_a}, targetNodeProperties: {}}) AS projection
  WITH projection WHERE projection IS NOT NULL
  // In: projection. Out: pairs and copies; one row even if no two thoughts are similar, so that the projection is dropped.
  CALL (projection) {
    CALL gds.knn.stream(projection.graphName, {
      nodeProperties: {vector: 'COSINE'}, topK: $k, similarityCutoff: (1 + $least) / 2,
      sampleRate: 1.0, deltaThreshold: 0.0001, maxIterations: 15, randomSeed: 19, concurrency: 1, jobId: $graph
    }) YIELD node1, node2, similarity
    WITH gds.util.asNode(node1) AS a, gds.util.asNode(node2) AS b, round(2 * similarity - 1, 4) AS cosine
    // A thought made by hand may lack created_at, but not recorded_at, where the search for it begins.
    WITH a, b, cosine, [
      coalesce(
        CASE WHEN a.created_at IS :: ZONED DATETIME THEN a.created_at END,  // part: zoned(a.created_at)
        a.recorded_at), a.id
    ] > [
      coalesce(
        CASE WHEN b.created_at IS :: ZONED DATETIME THEN b.created_at END,  // part: zoned(b.created_at)
        b.recorded_at), b.id
    ] AS later
    WITH collect({newer: CASE WHEN later THEN a.id ELSE b.id END, older: CASE WHEN later THEN b.id ELSE a.id END, cosine: cosine}) AS pairs,
      collect(DISTINCT CASE WHEN cosine >= $duplicate THEN a END) + collect(DISTINCT CASE WHEN cosine >= $duplicate THEN b END) AS alike
    UNWIND CASE WHEN size(alike) = 0 THEN [null] ELSE alike END AS n
    WITH DISTINCT pairs, n
    RETURN pairs, collect(CASE WHEN n IS NOT NULL THEN {
      id: n.id, text: left(n.content, $text_length),
      created_at: coalesce(
        CASE WHEN n.created_at IS :: ZONED DATETIME THEN n.created_at END,  // part: zoned(n.created_at)
        n.recorded_at)
    } END) AS copies
  }
  CALL gds.graph.drop(projection.graphName, false) YIELD graphName
  RETURN projection.nodeCount AS nodes, pairs, copies
}
RETURN coalesce(nodes, 0) AS nodes, coalesce(pairs, []) AS pairs, coalesce(copies, []) AS copies,
  EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
