"""``python -m legacymind`` is the command line."""

from legacymind.doors.cli.main import main

main()
