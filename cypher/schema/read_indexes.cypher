// Reads the state of every index of the database, those of constraints included, for `legacymind doctor`.
CYPHER 25
SHOW INDEXES YIELD name, state, populationPercent, options
RETURN name, state, populationPercent AS percent, toIntegerOrNull(options.indexConfig['vector.dimensions']) AS dimensions
