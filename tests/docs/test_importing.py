"""The commands of docs/memory/importing.md import the sample files; a second time they add nothing."""

import re
import shlex
import uuid
from pathlib import Path

from legacymind.services.knowledge.importers.formats import FORMATS
from legacymind.services.knowledge.importers.graphs import GRAPHS
from tests.docs.pages import text
from tests.doors.cli.commands import here

ROOT = Path(__file__).parents[2]
PAGE = text("importing").partition("\n## The format\n")[0]

STORED = {
    "docs/samples/memory.jsonl": "3 entities, 4 observations, 2 relations, 0 thoughts.",
    "docs/samples/tables": "3 entities, 2 observations, 2 relations, 0 thoughts.",
    "docs/samples/vault": "3 entities, 7 observations, 6 relations, 0 thoughts.",
    "docs/samples/messages.json": "0 entities, 0 observations, 0 relations, 2 thoughts.",
    "docs/samples/claude-code": "0 entities, 0 observations, 0 relations, 3 thoughts.",
}
"""What each sample has."""


def commands() -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


def test_every_command_imports_its_sample_once(real_env: dict[str, str]) -> None:
    env = real_env | {"LEGACYMIND_NAMESPACE": f"importing-{uuid.uuid4()}"}
    files = [line for line in commands() if "--format" not in line]
    assert {shlex.split(line)[-1] for line in files} == STORED.keys()
    for line in files:
        words = [str(ROOT / word) if word in STORED else word for word in shlex.split(line)[1:]]
        for outcome in (
            f"New: {STORED[shlex.split(line)[-1]]}",
            "New: 0 entities, 0 observations, 0 relations, 0 thoughts. Already stored: ",
        ):
            done = here(env, *words)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            assert outcome in done.stdout


def test_every_command_for_a_graph_is_valid_and_finds_none(real_env: dict[str, str]) -> None:
    """tests/services/knowledge/test_graph_importers.py imports graphs."""
    env = real_env | {"LEGACYMIND_NAMESPACE": f"importing-{uuid.uuid4()}"}
    graphs = [line for line in commands() if "--format" in line]
    assert len(graphs) == len(GRAPHS)
    for line in graphs:
        done = here(env, *shlex.split(line)[1:])
        assert (done.returncode, "The database has no graph of" in done.stderr) == (3, True), done.stderr


def test_the_page_lists_every_format() -> None:
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE, re.MULTILINE)) == {*FORMATS, *GRAPHS}
