// Contradictions: the evidence against hypotheses and conclusions, what it is about, and facts that superseded others.
:param namespace => 'default';
:param limit => 50;
CYPHER 25
CALL () {
  MATCH against = (evidence)-[:CONTRADICTS]->(t:Thought)
  WHERE t.namespace = $namespace
  OPTIONAL MATCH about = (evidence)-[:ABOUT]->(:Entity)
  RETURN against, about LIMIT $limit
  UNION ALL
  MATCH against = (newer:Observation)-[:REVISES]->(older:Observation)
  WHERE newer.namespace = $namespace
  OPTIONAL MATCH about = (newer)-[:ABOUT]->(:Entity)
  RETURN against, about LIMIT $limit
}
RETURN against, about
