"""Reads nodes and their neighbours, for several nodes at once: the nested fields of GraphQL."""
