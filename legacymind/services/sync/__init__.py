"""Synchronisation of homes through a folder or a server: what each changed, and what becomes of both."""
