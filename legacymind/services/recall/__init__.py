"""Recall: finds what a text brings to mind, and ranks it. Nothing is stored."""
