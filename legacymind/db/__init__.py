"""Neo4j: connecting, the schema, the statements, retries, and driver errors as ours."""
