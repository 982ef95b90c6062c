"""Thinking: prepare a thought, recall memories, store it in its chain, and learn from outcomes."""
