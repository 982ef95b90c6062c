"""Readers of files and graphs that can be imported: each turns one format into the records of records.py."""
