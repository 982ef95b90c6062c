"""Runs neo4j-labs' agent-memory-tck over LegacyMind, and prints how many scenarios of each level pass.

Run ``python -m tests.clients.tck --tck FOLDER`` with a checkout of github.com/neo4j-labs/agent-memory-tck.
LegacyMind and what the TCK requires get an environment in ``--packages FOLDER``, a temporary one if it is
left out. The engine is that of ``LEGACYMIND_TEST_HOME``, or one in a temporary home. The level platinum is
left out: it tests neo4j-labs' hosted service.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.clients.frameworks import run

LEVELS: Final = ("bronze", "silver", "gold")

_PLUGINS: Final = ("tck.tests.conftest", "tests.clients.tck_adapter")
"""The TCK's fixtures, and the adapter. A conftest.py below these has another one, so none is read."""


def outcomes(tck: Path, folder: Path, env: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Run the scenarios in a new environment; the number of each level and outcome."""
    python, report = folder / "bin" / "python", folder / "report.json"
    uv = (sys.executable, "-m", "uv")
    if not (
        run(*uv, "venv", "--quiet", "--clear", folder)
        and run(*uv, "pip", "install", "--quiet", "--python", python, "-e", ".", "-r", tck / "pyproject.toml")
    ):
        sys.exit("The environment could not be made.")
    options = (
        *("-c", tck / "pyproject.toml", "-o", "asyncio_default_test_loop_scope=session"),
        *("-p", "no:cacheprovider", "--noconftest", *(part for name in _PLUGINS for part in ("-p", name))),
        *("--json-report", f"--json-report-file={report}", "-m", " or ".join(LEVELS)),
    )
    run(python, "-m", "pytest", "-q", *options, tck / "tck" / "tests", env={**env, "PYTHONPATH": str(tck)})
    if not report.exists():
        sys.exit("The scenarios could not be run.")
    tests = json.loads(report.read_text(encoding="utf-8"))["tests"]
    return Counter(
        (level, test["outcome"]) for test in tests for level in LEVELS if level in test["keywords"]
    )


def main() -> None:
    """Run the TCK; the exit code is 1 unless every scenario passes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tck", type=Path, required=True)
    parser.add_argument("--packages", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        packages = (given.packages or Path(temporary)).resolve()
        home = Path(os.environ.get("LEGACYMIND_TEST_HOME") or Path(temporary) / "home")
        env = os.environ | {"LEGACYMIND_HOME": str(home)}
        try:
            found = outcomes(given.tck.resolve(), packages / "agent-memory-tck", env)
        finally:
            if home.is_relative_to(temporary):
                run(sys.executable, "-m", "legacymind", "down", env=env)
    for level in LEVELS:
        total = sum(count for (each, _), count in found.items() if each == level)
        print(f"{level}: {found[level, 'passed']} of {total} pass")
    sys.exit(not found or any(outcome != "passed" for _, outcome in found))


if __name__ == "__main__":
    main()
