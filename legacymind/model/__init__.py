"""The types that operations take and return."""
