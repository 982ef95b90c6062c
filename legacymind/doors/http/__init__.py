"""The HTTP application that serves GraphQL and the health check."""
