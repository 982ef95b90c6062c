"""Entities, observations and relations: remembering and importing."""
