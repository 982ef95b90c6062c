// Observations that wait for their vectors, as i08.
CYPHER 25
CREATE RANGE INDEX observation_deferred IF NOT EXISTS FOR (o:Observation) ON (o.embedding_deferred)
