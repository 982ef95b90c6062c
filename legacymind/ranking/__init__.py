"""Ranking: pure functions over lists of features. No I/O, no settings, no database."""
