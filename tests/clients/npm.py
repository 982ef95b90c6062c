"""Packages of npm for tests, which pytest's cache keeps for the next run."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

_NODE: Final = 20
"""The first version of Node.js with which the packages work."""


def run(folder: Path, *command: str | Path, given: str | None = None, **variables: str) -> str:
    """Run a command that must succeed; returns its output."""
    env = os.environ | variables
    done = subprocess.run(
        command, cwd=folder, env=env, input=given, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def installed(config: pytest.Config, name: str, *packages: str) -> Path:
    """The folder ``node_modules`` with packages. Skips the test where Node.js or a package is missing."""
    node, npm = shutil.which("node"), shutil.which("npm")
    version = run(Path(), node, "--version") if node else "none"
    if npm is None or int((re.findall(r"\d+", version) or ["0"])[0]) < _NODE:
        pytest.skip(f"needs Node.js {_NODE} and npm, not {version.strip()}")
    assert config.cache is not None
    kept = config.cache.mkdir(f"{name}-" + re.sub(r"\D+", "-", "".join(packages)))
    if not (kept / "installed").exists():
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--fetch-retries=0", *packages]
        try:
            subprocess.run(install, cwd=kept, capture_output=True, timeout=120, check=True)
        except subprocess.SubprocessError:
            pytest.skip("needs a registry of npm that answers")
        (kept / "installed").touch()
    return kept / "node_modules"
