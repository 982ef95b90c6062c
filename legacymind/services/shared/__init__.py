"""Shared by the services: input checks, token budgets, cursors, vectors."""
