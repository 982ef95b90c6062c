// Reads how long Neo4j keeps its transaction logs.
CYPHER 25
SHOW SETTINGS 'db.tx_log.rotation.size', 'db.tx_log.rotation.retention_policy', 'db.checkpoint.interval.time'
YIELD name, value
RETURN name, value
