"""The HTTP server: GraphQL and the health check."""
