"""Commands of all pages exist with their options, and the examples that no other test runs are run here."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from legacymind.doors.cli.main import cli
from tests.docs.pages import DOCS, outputs
from tests.doors.cli.commands import here

PAGES = [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]
ROOT = click.Context(cli, info_name="legacymind")

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"^(?:\$ )?(?:[A-Z_]+=\S+ )*legacymind (?P<rest>.+)$")
_INLINE = re.compile(r"`(?:[A-Z_]+=\S+ )?legacymind ([-\w][^`]*)`")


_CHANGING = re.compile(r"(?:forget|redact|merge|pin|curate (?:apply|restore)|maintain (?:prune|expire)) .*")
"""Commands that remove or change what is stored, without those that only show what they would do."""
_SHOWS = re.compile(r" --dry-run\b|^forget (?!.*--confirm)|^maintain (?!.*--apply)")


def found(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that words name, and the words after it."""
    command = cli.get_command(ROOT, words[0])
    assert command is not None, f"There is no command {words[0]}."
    if not isinstance(command, click.Group) or not words[1:]:
        return command, words[1:]
    below = command.get_command(ROOT, words[1].partition("|")[0])
    assert below is not None, f"{words[0]} has no command {words[1]}."
    return below, words[2:]


def in_blocks(text: str) -> Iterator[str]:
    """The commands of the blocks for a shell, without what a shell does with their output."""
    for language, block in _BLOCK.findall(text):
        if language in ("sh", "console", "bash"):
            for line in block.replace("\\\n", " ").splitlines():
                if call := _CALL.match(line):
                    yield re.split(r" [|>&]", call["rest"])[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_exist_with_their_options(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for line in in_blocks(text):
        command, words = found(shlex.split(line, comments=True))
        try:
            command.make_context(command.name, words, parent=ROOT)
        except click.UsageError as refused:
            pytest.fail(f"legacymind {line}: {refused.format_message()}")
        if _CHANGING.match(line) and not _SHOWS.search(line):
            assert "--namespace" in line, f"legacymind {line} would change a namespace that the reader uses"
    for line in _INLINE.findall(_BLOCK.sub("", text)):
        words = re.split(r"\s[|>]", line)[0].split()
        if words[0].startswith("-") or words[0].isupper():  # --help, COMMAND
            continue
        command, rest = found(words)
        known = {spelling for one in command.params for spelling in (*one.opts, *one.secondary_opts)}
        named = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        assert named <= {*known, "--help", "-h"}, f"legacymind {line}"


def test_an_export_is_made_and_imported_as_the_page_says(
    real_env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, imported, *_ = outputs("importing", real_env, "Exports")
    assert re.search(r"^stored +0$", imported, re.MULTILINE), imported


def test_recall_finds_what_was_stored_as_the_page_says(real_env: dict[str, str]) -> None:
    stored, recalled, explained, before = outputs("thinking", real_env)
    assert "hash" in stored
    for shown in (recalled, explained):
        assert "Deploys fail whenever the cache is cold." in shown
        assert "Recalled 1 memory" in shown
    assert "similarity" in explained
    assert '"memories":[]' in before


def test_a_token_is_made_listed_and_revoked_as_the_page_says(real_env: dict[str, str]) -> None:
    create, listed, revoke, *_ = in_blocks((DOCS / "operation/server.md").read_text(encoding="utf-8"))
    made = here(real_env, *shlex.split(create))
    assert (made.returncode, made.stdout.startswith("lm_")) == (0, True), made.stderr
    (own,) = re.findall(r"Token (\w+) has the role write in the namespace team, global", made.stderr)
    shown = here(real_env, *shlex.split(listed)).stdout
    assert re.search(rf"ada's laptop\n +id {own}, namespaces team; global, role write", shown), shown
    *words, _ = shlex.split(revoke)
    assert here(real_env, *words, own).stdout == f"Revoked {own}.\n"
