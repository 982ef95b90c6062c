"""Packages of the index, for tests that need others than this environment has."""

import subprocess
import sys
from pathlib import Path

import pytest


def uv(*arguments: str | Path, cwd: Path) -> None:
    """Run uv. Skips the test if the package index does not answer."""
    silent = "needs a package index that answers"
    command = [sys.executable, "-m", "uv", *arguments, "--quiet"]
    try:
        ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip(silent)
    if "Failed to fetch" in ran.stderr:
        pytest.skip(silent)
    assert ran.returncode == 0, ran.stderr
