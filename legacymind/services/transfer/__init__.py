"""Exports of a whole namespace, and their import: everything that is stored, hashes included."""
