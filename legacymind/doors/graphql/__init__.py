"""GraphQL types and schema, made from the operations."""
