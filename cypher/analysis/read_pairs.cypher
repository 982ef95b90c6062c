// Reads the pairs of similar thoughts that kNN found in a projection. GDS gives (1 + cosine) / 2. Pairs from $duplicate are near
// duplicates; copies lists their thoughts. One record, for the reason of read_results.
:param graph => 'legacymind-sample-thoughts';
:param duplicate => 0.95;
:param text_length => 300;
CYPHER 25
CALL gds.graph.relationshipProperty.stream($graph, 'similarity') YIELD sourceNodeId, targetNodeId, propertyValue
WITH gds.util.asNode(sourceNodeId) AS a, gds.util.asNode(targetNodeId) AS b, round(2 * propertyValue - 1, 4) AS cosine
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
WITH collect({newer: CASE WHEN later THEN a.id ELSE b.id END, older: CASE WHEN later THEN b.id ELSE a.id END, cosine: cosine}) AS pairs
// In: pairs. Out: copies, so that no row of a copy has all pairs.
CALL (pairs) {
  UNWIND [pair IN pairs WHERE pair.cosine >= $duplicate] AS pair
  UNWIND [pair.newer, pair.older] AS id
  WITH DISTINCT id
  MATCH (n:Thought {id: id})
  RETURN collect({
    id: n.id, text: left(n.content, $text_length),
    created_at: coalesce(
      CASE WHEN n.created_at IS :: ZONED DATETIME THEN n.created_at END,  // part: zoned(n.created_at)
      n.recorded_at)
  }) AS copies
}
RETURN pairs, copies
