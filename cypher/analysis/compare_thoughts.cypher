// The pairs of similar thoughts of a projection, in one record: each thought with its $k nearest. GDS gives (1 + cosine) / 2. One
// thread and a fixed seed, so that the same thoughts have the same neighbours.
:param graph => 'legacymind-sample-thoughts';
:param k => 10;
:param least => 0.5;
CYPHER 25
CALL gds.knn.stream($graph, {
  nodeProperties: {vector: 'COSINE'}, topK: $k, similarityCutoff: (1 + $least) / 2, sampleRate: 1.0, deltaThreshold: 0.0001,
  maxIterations: 15, randomSeed: 19, concurrency: 1
}) YIELD node1, node2, similarity
WITH gds.util.asNode(node1) AS a, gds.util.asNode(node2) AS b, round(2 * similarity - 1, 4) AS cosine
WITH a, b, cosine, [a.recorded_at, a.id] > [b.recorded_at, b.id] AS later
RETURN collect(CASE WHEN later THEN [a.id, b.id, cosine] ELSE [b.id, a.id, cosine] END) AS pairs
