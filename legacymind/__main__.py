"""``legacymind`` and ``python -m legacymind`` are the command line."""

import os
import sys

from legacymind.trust import keep_users_own


def main() -> None:
    """Run the command line, or without importing it the hook that a prompt waits for."""
    keep_users_own()
    first, rest = sys.argv[1:3], sys.argv[3:]
    if first == ["hook", "prompt"] and (not rest or (len(rest) == 2 and rest[0] == "--namespace")):
        from legacymind.doors.cli.hooks.prompt import main as run

        if rest:
            os.environ["LEGACYMIND_NAMESPACE"] = rest[1]
    else:
        from legacymind.doors.cli.main import main as run
    run()


if __name__ == "__main__":
    main()
