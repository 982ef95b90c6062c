"""The stand-alone verifier of docs/trust/chain.md verifies the output of ``legacymind export``."""

import ast
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from legacymind.mind import Mind
from legacymind.services.shared.chain_keys import key_id
from legacymind.settings import Settings
from tests.doors.cli.commands import Done, environment, here, process
from tests.fakes import FakeEmbedder
from tests.services.chain.chains import FIVE, Chain, branch, make, rehash, think
from tests.services.chain.documented import program

SECRET: Final = "first-secret-of-32-characters-000"
Verify = Callable[..., subprocess.CompletedProcess[str]]
Lines = list[dict[str, Any]]


def export(settings: Settings, command: Callable[..., Done] = here, **more: str) -> Lines:
    """The lines that ``legacymind export`` prints."""
    done = command(environment(settings) | more, "export", "session")
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def verify(tmp_path: Path) -> Verify:
    """Run the documented program on lines."""
    script, chain = tmp_path / "verify.py", tmp_path / "chain.jsonl"
    script.write_text(program(), encoding="utf-8")

    def run(lines: Lines, *keys: str) -> subprocess.CompletedProcess[str]:
        chain.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
        # Isolated mode: no access to LegacyMind or other installed packages.
        command = [sys.executable, "-I", "-S", str(script), str(chain), *keys]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


async def exported(mind: Mind) -> Lines:
    """The output of the command, without a process."""
    return [json.loads(json.dumps(line)) async for line in mind.export_chain("session")]


def test_the_program_is_short_enough_to_be_read() -> None:
    lines = program().splitlines()
    assert len(lines) <= 90
    assert max(map(len, lines)) <= 120
    assert "import legacymind" not in program()


@pytest.mark.anyio
async def test_an_intact_export_verifies_with_any_content(mind: Mind, verify: Verify) -> None:
    for number in (0.1, 1.0, 0, 1e-7, 5e-05, 0.1 + 0.2, 1e-6, 9.9e-7, 5e-324, 1 / 3):
        await think(mind, "session", f"number {number}", confidence=number, significance=number)
    for text in (
        "Grüße, 世界",
        "👩‍🚀 \U0001f9ff",
        '"quotes" \\ and \ttabs\r\nlines\u2028\u0085\x00\x7f',
        "x" * 50_000,
    ):
        await think(mind, "session", text, hypothesis=text, author="Zoë", context_id="会议")
    await think(mind, "session", "tags", tags=["plan", "debug", "idea"], created_at="0999-01-01T00:00:00Z")
    await make(mind, "session")
    # The encoding of the terminal must not change hashed text.
    lines = export(mind.settings, process, PYTHONIOENCODING="cp1252")
    done = verify(lines)
    assert (done.returncode, done.stdout, done.stderr) == (0, "20 steps verify, without a key\n", "")
    assert lines == await exported(mind)


@pytest.mark.anyio
async def test_a_redacted_export_verifies_without_the_content(mind: Mind, verify: Verify) -> None:
    made = await make(mind, "session")
    await mind.operations["redact_thought"].call({"thought_id": made.ids[2], "reason": "a name"})
    lines = export(mind.settings)
    assert "content" not in lines[3]
    assert "salt" not in lines[3]
    assert verify(lines).stdout == "6 steps verify, without a key\n"
    for name in ("content", "salt", "hypothesis"):
        lines[4].pop(name, None)
    done = verify(lines)  # removed as if it was redacted, but by no step of the chain
    assert (done.returncode, done.stderr) == (1, "broken at step 3\n")


@pytest.fixture
async def keyed(settings: Settings) -> AsyncIterator[Mind]:
    async with Mind(settings.changed(chain_key=SECRET), embedder=FakeEmbedder()) as opened:
        yield opened


@pytest.mark.anyio
async def test_a_keyed_export_verifies_with_its_key_only(mind: Mind, keyed: Mind, verify: Verify) -> None:
    await make(keyed, "session")
    lines = export(keyed.settings)  # exporting needs no key
    assert verify(lines, SECRET).stdout == "5 steps verify, keyed\n"
    assert verify(lines, "x" * 32, SECRET).returncode == 0
    for keys in ((), ("x" * 32,)):
        done = verify(lines, *keys)
        assert (done.returncode, done.stderr) == (1, "broken at step 0\n")
    await make(mind, "without")
    unkeyed = [json.loads(json.dumps(line)) async for line in mind.export_chain("without")]
    assert verify(unkeyed).returncode == 0
    assert verify(unkeyed, SECRET).stderr == "broken at step 0\n"


@pytest.mark.anyio
@pytest.mark.parametrize("alg", ["sha256", "hmac-sha256"])
@pytest.mark.parametrize("key_id", [None, key_id(SECRET), "k9"])
async def test_a_keyed_export_forged_without_the_key_breaks_at_the_forgery(
    keyed: Mind, verify: Verify, alg: str, key_id: str | None
) -> None:
    made: Chain = await make(keyed, "session")
    previous = await rehash(keyed, made.ids[2], {"content": "forged"}, await made.hash_of(1))
    for thought_id in made.ids[3:]:
        previous = await rehash(keyed, thought_id, {}, previous)
    lines = await exported(keyed)
    lines[0]["head_hash"] = previous
    for line in lines[3:]:
        line |= {"hash_alg": alg, "key_id": key_id}
    assert verify(lines, SECRET).stderr == "broken at step 2\n"


@pytest.mark.anyio
async def test_tampered_lines_are_reported(mind: Mind, verify: Verify) -> None:
    await make(mind, "session")
    sound = await exported(mind)
    edits: list[dict[str, Any]] = [
        {"content": "three!"},
        {"tags": ["idea"]},
        {"revises_thought": None},
        {"hypothesis": "never"},
        {"salt": "00"},
        {"chain_hash": "0" * 64},
        {"prev_hash": "0" * 64},
    ]
    for edit in edits:
        lines = [*sound[:3], sound[3] | edit, *sound[4:]]
        assert verify(lines).stderr == "broken at step 2\n", edit
    assert verify([*sound[:3], *sound[4:]]).stderr == "broken at step 2\n"
    # A step that is there twice, or earlier, changes no chain.
    for lines in ([*sound[:4], sound[3], *sound[4:]], [*sound[:3], *sound[:2:-1]]):
        assert verify(lines).stdout == "5 steps verify, without a key\n"
    assert verify([sound[0] | {"session_id": "another"}, *sound[1:]]).stderr == "broken at step 0\n"


@pytest.mark.anyio
async def test_an_export_of_a_namespace_verifies_with_all_branches_of_its_sessions(
    mind: Mind, verify: Verify
) -> None:
    await branch(await make(mind, "one"), 2, ["four elsewhere", "five elsewhere"])
    made = await make(mind, "two")
    await mind.operations["redact_thought"].call({"thought_id": made.ids[2], "reason": "a name"})
    lines = [json.loads(line) async for line in mind.export()]
    intact = "one: 7 steps verify, without a key, 2 branches\ntwo: 6 steps verify, without a key\n"
    done = verify(lines)
    assert (done.stdout, done.stderr) == (intact, "")
    # What changes while it is exported has another line.
    steps = {one["id"]: f"{one['session_id']} {one['step_index']}" for one in lines if "step_index" in one}
    assert [step for step in steps.values() if step[0] == "t"] == [f"two {step}" for step in range(6)]
    # Those of the branch were never stored by a think, so they come in any order.
    assert sorted(step for step in steps.values() if step[0] == "o") == [
        f"one {step}" for step in (0, 1, 2, 3, 3, 4, 4)
    ]
    edits: dict[str, Callable[[dict[str, Any]], bool]] = {
        "one: 6 steps verify, but the end is missing": lambda one: one.get("content") == "five elsewhere",
        "two: broken at step 1": lambda one: one.get("content") == "two" and one["session_id"] == "two",
        "two: 6 steps verify, but the end is missing": lambda one: (
            one["kind"] == "session" and one["id"] == "two"
        ),
    }
    for fault, gone in edits.items():
        assert verify([one for one in lines if not gone(one)]).stderr == f"{fault}\n"


@pytest.mark.anyio
async def test_a_missing_end_is_reported(mind: Mind, verify: Verify) -> None:
    made = await make(mind, "session")
    await made.raw(FIVE + "DETACH DELETE e")
    done = verify(export(mind.settings))
    assert (done.returncode, done.stderr) == (1, "4 steps verify, but the end is missing\n")
    others: list[Lines] = [[], [{}], export(mind.settings)[1:]]
    for lines in others:
        assert verify(lines).stderr == "this is not an export\n"


def documented_canonical() -> Callable[[Any], str]:
    """The document's ``canonical``, without the rest of its program."""
    tree = ast.parse(program())
    tree.body = [
        node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef)
    ]
    names: dict[str, Any] = {}
    exec(compile(tree, "docs/trust/chain.md", "exec"), names)
    return names["canonical"]


CANONICAL: Final = documented_canonical()
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NUMBER = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 1e-6, 1e-7, 5e-05, 9.999999999999999e-07, 5e-324])


@given(
    st.fixed_dictionaries(
        {"id": TEXT, "tags": st.lists(TEXT), "significance": NUMBER, "step_index": st.integers(0, 2**53 - 1)},
        optional={"confidence": NUMBER, "hypothesis": TEXT, "author": TEXT, "parent_id": TEXT},
    )
)
def test_the_canonical_json_of_the_document_is_rfc_8785(record: dict[str, Any]) -> None:
    assert CANONICAL(record).encode() == rfc8785.dumps(record)
