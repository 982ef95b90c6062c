"""docs/interfaces/notebooks.md: its commands run, and its cells, one after the other, as in a notebook.

tests/test_ogm.py runs the examples of its classes.
"""

import re
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tests.docs.pages import outputs, section

NOTEBOOK = """
import ast, asyncio, sys
cells = compile(sys.stdin.read(), "cells", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
asyncio.run(eval(cells, {}))
"""


def test_every_command_runs(
    real_env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seed").symlink_to(Path(__file__).parents[2] / "seed")
    *_, analysed, listed, members = outputs("notebooks", real_env)
    assert re.search(r"^neighbours +1$", analysed, re.MULTILINE)
    assert re.search(r"^communities +\d", analysed, re.MULTILINE)
    assert re.search(r"^community count +\d", listed, re.MULTILINE)
    assert "--after " in members


def test_every_cell_runs_and_shows_no_password(real_env: dict[str, str]) -> None:
    cells = re.findall(r"```python\n(.*?)```", section("notebooks", "Graph Data Science"), re.DOTALL)
    secrets = "print(vars(gds), vars(gds._query_runner), mind.graph)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", NOTEBOOK],
        input="\n".join([*cells[:-1], secrets, cells[-1]]),
        env=real_env | {"LEGACYMIND_NAMESPACE": f"gds-{uuid.uuid4()}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "3 thoughts" in done.stdout
    assert done.stdout.count("eater") >= 2
    password = (Path(real_env["LEGACYMIND_HOME"]) / "password").read_text(encoding="utf-8").strip()
    assert password not in done.stdout + done.stderr
