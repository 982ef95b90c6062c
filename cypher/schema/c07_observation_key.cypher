// The same fact about the same entity is stored once. fact_key is a digest, since an index key is short.
CYPHER 25
CREATE CONSTRAINT observation_key IF NOT EXISTS FOR (o:Observation) REQUIRE (o.namespace, o.entity_id, o.fact_key) IS UNIQUE
