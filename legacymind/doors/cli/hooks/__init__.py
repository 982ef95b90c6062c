"""The command `hook`: what coding agents send it, and what it stores and answers."""
