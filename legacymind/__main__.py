"""``python -m legacymind`` is the command line."""

from legacymind.transport.cli import main

main()
