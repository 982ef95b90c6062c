// Counts the nodes that wait for their vectors, by the indexes on the property that marks them: waiting in the active slot,
// and waiting_in_other in the slot that is being filled or kept.
CYPHER 25
OPTIONAL MATCH (d:LegacyMind {id: 'database'})
RETURN
  COUNT {
    MATCH (t:Thought) WHERE t.embedding_deferred IN [true, d.active_slot]
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
  }
    + COUNT { MATCH (e:Entity) WHERE e.embedding_deferred IN [true, d.active_slot] }
    + COUNT { MATCH (o:Observation) WHERE o.embedding_deferred IN [true, d.active_slot] } AS waiting,
  COUNT {
    MATCH (t:Thought) WHERE t.embedding_deferred IN [true, d.other_slot]
      AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
  }
    + COUNT { MATCH (e:Entity) WHERE e.embedding_deferred IN [true, d.other_slot] }
    + COUNT { MATCH (o:Observation) WHERE o.embedding_deferred IN [true, d.other_slot] } AS waiting_in_other
