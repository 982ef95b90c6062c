"""Run the list of faults, ``faults.py``, in minutes; with ``--long``, also those at full length."""

import argparse
import os
import sys

import pytest

from tests.faults import faults


def main() -> int:
    """Run the tests of the list in one process, with the name of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="also those that take many minutes")
    given, further = parser.parse_known_args()
    if given.long:
        os.environ["LEGACYMIND_TEST_FAULTS"] = "long"
    return int(pytest.main([*faults.tests(), "-n", "0", "-v", *further]))


if __name__ == "__main__":
    sys.exit(main())
