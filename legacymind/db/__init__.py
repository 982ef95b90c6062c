"""Neo4j: connections, schema, statements, retries, and the translation of driver errors."""
