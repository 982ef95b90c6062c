// Counts nodes and relationships of the whole database for the metrics of `legacymind serve`. Neo4j keeps these counts, so
// that it reads no node.
CYPHER 25
RETURN COUNT { (:Thought) } AS thoughts, COUNT { (:Entity) } AS entities, COUNT { (:Observation) } AS observations,
  COUNT { (:Session) } AS sessions, COUNT { ()-[]->() } AS relationships, COUNT { ()-[:RECALLS]->() } AS recalls
