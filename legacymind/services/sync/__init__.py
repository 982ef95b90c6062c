"""Synchronisation of homes through a folder: what each changed, and what becomes of both."""
