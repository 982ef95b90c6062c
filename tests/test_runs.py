"""What runs, and what is said at the end: ``tests/runs.py``. The files of the repository are text."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests import runs

ROOT = Path(__file__).parents[1]

SAMPLE = """
import re

import pytest

@pytest.mark.limit(1)
def test_that_hangs_in_c():
    re.match("(a+)+$", "a" * 40 + "b")

def test_that_works(): pass

@pytest.mark.engine
def test_of_an_engine(): pass

@pytest.mark.skip("needs a harp")
def test_of_a_harp(): pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one file of tests, in which ``pytest`` runs as here."""
    (tmp_path / "conftest.py").write_text('pytest_plugins = ("tests.runs",)', encoding="utf-8")
    (tmp_path / "test_sample.py").write_text(SAMPLE, encoding="utf-8")
    ini = f'[pytest]\naddopts = --strict-markers\npythonpath = "{ROOT}"\nmarkers = limit\n'
    (tmp_path / "pytest.ini").write_text(ini, encoding="utf-8")
    return tmp_path


HANGS = "test_sample.py::test_that_hangs_in_c"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "xdist", *arguments]
    env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=False
    )


@pytest.mark.quality
def test_a_test_that_hangs_fails_with_its_stack_and_the_others_run(folder: Path) -> None:
    done = run(folder, "-n", "1")
    assert "in test_that_hangs_in_c" in done.stderr
    assert f"crashed while running '{HANGS}'" in done.stdout
    assert "Not run: 1 tests marked engine (1)" in done.stdout
    assert "1 failed, 1 passed, 1 skipped" in done.stdout


@pytest.mark.quality
def test_a_process_that_takes_the_place_of_another_runs_files_of_one_test(folder: Path) -> None:
    (folder / "test_sample.py").write_text(SAMPLE.partition("def test_that_works")[0], encoding="utf-8")
    for name in ("test_tail.py", "test_u.py"):
        (folder / name).write_text("def test_that_works(): pass", encoding="utf-8")
    assert "1 failed, 2 passed" in run(folder, "-n", "1").stdout


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        ((), 1),
        (("--all",), 2),
        (("test_sample.py",), 2),
        (("-m", "engine"), 1),
        (("test_sample.py::test_of_an_engine",), 1),
    ],
)
def test_marked_tests_run_when_they_are_asked_for(
    folder: Path, arguments: tuple[str, ...], passed: int
) -> None:
    assert f"{passed} passed" in run(folder, "-n", "0", f"--deselect={HANGS}", *arguments).stdout


def test_the_second_run_of_ci_has_every_reason_to_be_left_out() -> None:
    assert f"-m '{' or '.join(runs.REASONS)}'" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_line_at_the_end_counts_and_names_what_to_install() -> None:
    assert runs.not_run(Counter(), []) == ""
    skipped = [
        "Skipped: needs Node.js 20 and npm, which",
        "Skipped: needs Chromium",
        "needs Chromium",
        "modes",
    ]
    assert runs.not_run(Counter(docs=2, node=3), skipped) == (
        "Not run: 5 tests marked docs (2), node (3) (pytest --all runs them); "
        "skipped without Chromium (2), Node.js 20 and npm (1) (install them); "
        "1 skipped for other reasons (-rs says them)."
    )


def test_the_repository_has_no_binaries_but_pictures() -> None:
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if files.returncode:
        pytest.skip("needs a checkout with Git")
    tracked = [ROOT / name for name in files.stdout.split("\0") if name]
    strange = [path for path in tracked if path.is_file() and b"\0" in path.read_bytes()[:8192]]
    allowed = [path for path in strange if path.suffix == ".png" or path.name.startswith("utf16-")]
    assert set(strange) == set(allowed)
    assert [path.name for path in tracked if path.is_file() and path.stat().st_size > 500_000] == []
