"""What several services use: checks, token budgets, cursors, vectors."""
