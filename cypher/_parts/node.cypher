// part: node(n)
// A node of any label with the properties that GraphQL shows, and the ids that its fields lead to. Null for no node.
node: CASE
  WHEN {{n}}:Thought THEN {{n}} {
    // part: members(ThoughtMembers)
    // end of part
    .id, kind: 'thought', content: toStringOrNull({{n}}.content),
    outside_chain: NOT x  // part: in_chain({{n}})
  }
  WHEN {{n}}:Entity THEN {{n}} {
    // part: members(EntityMembers)
    // end of part
    kind: 'entity', .data
  }
  WHEN {{n}}:Observation THEN {{n}} {
    // part: members(ObservationMembers)
    // end of part
    .id, kind: 'observation', content: toStringOrNull({{n}}.content),
    entity_id: [({{n}})-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about.id][0],
    learned_from: [({{n}})-[:LEARNED_FROM]->(source:Thought) WHERE source.namespace = $namespace | source.id],
    supersedes: [({{n}})-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id][0],
    superseded_by: [({{n}})<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace | later.id][0]
  }
END
