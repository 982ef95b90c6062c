"""The commands of graph-algorithms.md run one after the other and print what the page describes."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import outputs


def test_every_command_runs(
    real_env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seed").symlink_to(Path(__file__).parents[2] / "seed")
    *_, analysed, listed, members = outputs("graph-algorithms", real_env)
    assert re.search(r"^neighbours +1$", analysed, re.MULTILINE)
    assert re.search(r"^communities +\d", analysed, re.MULTILINE)
    assert "communities" in listed
    assert "--offset 5" in members
