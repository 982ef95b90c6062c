// The facts of a namespace that are standing preferences or instructions, newest first.
CYPHER 25
CREATE RANGE INDEX observation_standing IF NOT EXISTS FOR (o:Observation) ON (o.namespace, o.standing, o.valid_from)
