// Counts the nodes of all labels and reads how many are known, without reading a node of those labels: Neo4j keeps a
// count for each label. When the two differ by more than this process has created, somebody else created nodes. It also
// keeps a count of ABOUT, of which LegacyMind stores one with each observation: when the number of observations without
// one has changed, somebody linked an observation by hand.
// unmentioned: maintenance has MENTIONS to store (think/read_unmentioned).
CYPHER 25
OPTIONAL MATCH (state:LegacyMind {id: 'by_hand'})
RETURN COUNT { (:Thought) } + COUNT { (:Entity) } + COUNT { (:Observation) } + COUNT { (:Session) } + COUNT { (:Action) }
    + COUNT { (:Pending) } + COUNT { (:LegacyMind) } AS nodes,
  state.nodes AS known, COUNT { (:Observation) } - COUNT { (:Observation)-[:ABOUT]->() } AS unlinked,
  state.unlinked AS known_unlinked, state.looked_at AS looked_at, coalesce(state.refused, []) AS refused,
  coalesce(state.refused_count, 0) AS refused_count,
  EXISTS { MATCH (e:Entity) WHERE e.mentions_deferred = true AND coalesce(e.id, '') <> '' AND coalesce(e.name_key, '') <> '' }
    OR EXISTS { MATCH (t:Thought) WHERE t.mentions_deferred = true AND coalesce(t.id, '') <> '' } AS unmentioned
