"""LegacyMind as the memory of agent frameworks (docs/interfaces/frameworks.md).

A module imports its framework, which an extra of the same name installs. No other room imports an adapter.
"""
