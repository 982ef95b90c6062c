"""docs/operation/embeddings.md names settings that exist, and models with the properties of the code."""

import re
import shlex
from pathlib import Path

import click
import pytest

from legacymind.doors.cli.main import cli
from legacymind.embed import make_embedder
from legacymind.embed.presets import prefixes
from legacymind.settings import TABLE, load_settings

TEXT = (Path(__file__).parents[2] / "docs" / "operation/embeddings.md").read_text(encoding="utf-8")


def test_every_named_setting_exists() -> None:
    variables = {each.variable for each in TABLE.values()}
    named = set(re.findall(r"\b(?:LEGACYMIND|OPENAI)_[A-Z0-9_]+\b", TEXT))
    assert len(named) > 5
    assert named <= variables
    keys = set(re.findall(r"`((?:embed|embedding|openai)_\w+)`", TEXT)) - {"embedding_mismatch"}
    assert keys <= TABLE.keys()


@pytest.mark.parametrize(
    "block", re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL), ids=["e5", "use", "hub", "server"]
)
def test_its_configurations_are_valid(block: str, tmp_path: Path) -> None:
    (tmp_path / "legacymind.toml").write_text(block, encoding="utf-8")
    embedder = make_embedder(load_settings({}, tmp_path / "legacymind.toml"))
    assert embedder.info.dimensions in {384, 512, 768, 1024}


def test_its_commands_are_those_of_the_command_line() -> None:
    """``tests/db/test_remote.py`` takes the same steps."""
    told = [
        shlex.split(line, comments=True)[1:]
        for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
        for line in block.splitlines()
        if line.startswith("legacymind")
    ]
    assert ["reembed", "switch"] in told
    root = click.Context(cli, info_name="legacymind")
    for name, *words in told:
        command = cli.get_command(root, name)
        assert command is not None
        command.make_context(name, words, parent=root)


def test_its_table_of_prefixes_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| ([\w-]+)[^|]*\| (?:`(.*?)` )?\| `(.*?)` \|$", TEXT, re.MULTILINE)
    told = {name: (passage.replace("\\|", "|"), query.replace("\\|", "|")) for name, passage, query in rows}
    for name, model in (
        ("bge", "BAAI/bge-small-en-v1.5"),
        ("e5", "intfloat/multilingual-e5-large"),
        ("nomic-embed-text", "nomic-embed-text"),
        ("embeddinggemma", "google/embeddinggemma-300m"),
    ):
        known = prefixes(model)
        assert told[name] == (known.passage, known.query)
