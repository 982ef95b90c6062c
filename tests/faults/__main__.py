"""Run the list of faults: ``python -m tests.faults``, in minutes; with ``--long``, each at full length."""

import argparse
import os
import sys
from pathlib import Path

import pytest


def main() -> int:
    """Run the tests of this folder in one process, with the name of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="also those that take many minutes")
    given, further = parser.parse_known_args()
    if given.long:
        os.environ["LEGACYMIND_FAULTS"] = "long"
    slow = ["-o", "faulthandler_timeout=3600"] if given.long else []
    return int(pytest.main([str(Path(__file__).parent), "-n", "0", "-v", *slow, *further]))


if __name__ == "__main__":
    sys.exit(main())
