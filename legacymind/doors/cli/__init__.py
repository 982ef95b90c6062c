"""The command line: one module per group of commands, and `show` for their output."""
