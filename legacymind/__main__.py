"""``legacymind`` and ``python -m legacymind`` are the command line."""

import sys


def main() -> None:
    """Run the command line, or without importing it the hook that a prompt waits for."""
    if sys.argv[1:] == ["hook", "prompt"]:
        from legacymind.doors.cli.hooks.prompt import main as run
    else:
        from legacymind.doors.cli.main import main as run
    run()


if __name__ == "__main__":
    main()
