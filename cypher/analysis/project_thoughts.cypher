// Projects the newest $most public thoughts with their vectors, without relationships, into the memory of GDS. A step that
// records a redaction has no topic. Without thoughts there is no row.
:param graph => 'legacymind-sample-thoughts';
:param namespace => 'default';
:param most => 1000;
:param dimensions => 384;
CYPHER 25
MATCH (n:Thought)
WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
  AND n.is_private = false AND coalesce(n.found_until > datetime(), true)  // part: public(n)
  AND n.content IS :: STRING NOT NULL  // part: not_redacted(n)
  AND (NOT n.id CONTAINS '::')  // part: whole(n)
  AND n.redacts IS NULL
  AND CASE WHEN n.embedding_a IS :: LIST<FLOAT NOT NULL> NOT NULL THEN size(n.embedding_a) = $dimensions END
WITH n ORDER BY n.namespace DESC, n.recorded_at DESC LIMIT $most
WITH gds.graph.project($graph, n, null, {sourceNodeProperties: {vector: n.embedding_a}, targetNodeProperties: {}}) AS projection
WITH projection WHERE projection IS NOT NULL
RETURN projection
