"""Declares operations and validates their arguments for every caller."""
