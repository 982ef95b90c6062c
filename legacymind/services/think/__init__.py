"""Thinking: prepare a thought, recall, store it in its chain, and learn from outcomes."""
