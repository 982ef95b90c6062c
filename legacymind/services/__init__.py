"""Everything LegacyMind does, one folder for each concern."""
