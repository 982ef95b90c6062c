"""``legacymind verify`` as CI and people use it: exit codes, the report, the summary."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from legacymind.mind import Mind
from tests.agents import build_server
from tests.doors.cli.commands import Done, Env, environment, here, process
from tests.services.chain.chains import FIVE, Chain, H, T, make, rehash, think

pytestmark = pytest.mark.anyio


def verify(
    mind: Mind, *arguments: str, command: str = "verify", as_process: bool = False, more: Env | None = None
) -> Done:
    """Run the command on the mind's database and namespace; ``more`` are additional variables.

    ``as_process`` runs it as a process; one test of each exit code does.
    """
    return (process if as_process else here)(environment(mind.settings) | (more or {}), command, *arguments)


@pytest.fixture
async def chains(mind: Mind) -> list[Chain]:
    """Three sessions of five thoughts."""
    return [await make(mind, name) for name in ("one", "two", "three")]


async def test_one_session_is_reported_as_text_or_as_json_like_that_of_mcp(
    chains: list[Chain],
) -> None:
    mind = chains[0].mind
    text = verify(mind, "two", as_process=True)
    assert (text.returncode, text.stderr) == (0, "")
    assert "Chain intact: 5 thoughts verified up to the session's head." in text.stdout
    await chains[1].raw(T + "SET t.content = 'forged'")
    found = verify(mind, "two", "--json", as_process=True)
    assert found.returncode == 1
    async with Client(build_server(mind, "full")) as agent:
        answer = await agent.call_tool("thought_verify_chain", {"sessionId": "two"})
    report = json.loads(found.stdout)
    assert answer.structured_content is not None
    assert report.keys() == answer.structured_content.keys()
    assert (report["valid"], report["complete"], report["brokenAt"]) == (False, True, 2)


async def test_all_sessions_are_verified_and_summarised(chains: list[Chain]) -> None:
    mind = chains[0].mind
    sound = verify(mind, "--all")
    assert (sound.returncode, sound.stderr) == (0, "")
    assert verify(mind, "verify", command="maintain").returncode == 0
    assert "3 sessions, 15 thoughts: 3 intact, 0 not." in sound.stdout
    await chains[0].raw(T + "SET t.content = 'forged [red]'")
    await chains[2].raw(FIVE + "DETACH DELETE e")
    broken = verify(mind, "--all")
    assert broken.returncode == 1
    assert verify(mind, "verify", "--json", command="maintain").returncode == 1
    assert "3 sessions, 14 thoughts: 1 intact, 2 not." in broken.stdout
    assert "✗ one: Chain broken at step 2. The content" in broken.stdout
    assert "✗ three: Chain truncated at step 3. The session's head is not the last step" in broken.stdout
    assert "two:" not in broken.stdout
    reports: list[dict[str, Any]] = json.loads(verify(mind, "--all", "--json").stdout)
    assert [(it["sessionId"], it["valid"], it["complete"]) for it in reports] == [
        ("one", False, True),
        ("three", True, False),
        ("two", True, True),
    ]


@pytest.mark.parametrize("option", ["--signer", "--against"])
async def test_an_empty_file_is_not_the_same_as_none(
    chains: list[Chain], tmp_path: Path, option: str
) -> None:
    file = tmp_path / "emptied"
    file.write_text("\n", encoding="utf-8")
    done = verify(chains[0].mind, "one", option, str(file))
    assert (done.returncode, "emptied is empty. Nothing was verified." in done.stderr) == (2, True)


async def test_the_exit_code_is_that_of_the_worst_verdict(chains: list[Chain]) -> None:
    mind = chains[0].mind
    unkeyed = verify(mind, "one", "--require-key")
    assert unkeyed.returncode == 5
    assert "step 4 unkeyed: The step has no key" in unkeyed.stdout
    await chains[1].raw(FIVE + "DETACH DELETE e")
    cut = verify(mind, "two")
    assert cut.returncode == 4
    assert "truncated" in cut.stdout
    assert verify(mind, "--all").returncode == 4
    assert verify(mind, "--all", "--require-key").returncode == 5
    await chains[2].raw(T + "SET t.content = 'forged'")
    assert verify(mind, "--all").returncode == 1
    key = {"LEGACYMIND_CHAIN_KEY": "first-secret-of-32-characters-000"}
    assert "1 session with steps without a key, which anybody can hash again: one" in " ".join(
        verify(mind, "--all", more=key).stdout.split()
    )
    assert verify(mind, "--all", "--require-key").returncode == 1


async def test_older_heads_reveal_a_rewritten_and_a_deleted_session(
    chains: list[Chain], tmp_path: Path
) -> None:
    mind, heads = chains[0].mind, tmp_path / "heads.json"
    heads.write_text(verify(mind, "--json", command="heads").stdout, encoding="utf-8")
    await think(mind, "one", "a sixth, later")
    await chains[1].raw(
        FIVE + "MATCH (e)-[:IN_SESSION]->(h) "
        "SET h.head_hash = d.chain_hash, h.head_step = 3, h.head_id = d.id DETACH DELETE e"
    )
    await chains[2].raw(FIVE + "FOREACH (t IN s | DETACH DELETE t)")
    await chains[2].raw(H + "DETACH DELETE h")
    found = verify(mind, "--all", "--against", str(heads))
    assert found.returncode == 1
    assert "3 sessions, 10 thoughts: 1 intact, 2 not." in found.stdout
    assert "✗ two: Chain truncated at step 4. The chain ends before a known head" in found.stdout
    assert "✗ three: Chain broken at step 4. The session was deleted" in found.stdout
    assert f"Compared with {heads}, SHA-256 {json.loads(heads.read_text('utf-8'))['digest']}" in " ".join(
        verify(mind, "one", "--against", str(heads)).stdout.split()
    )
    unaware = verify(mind, "--all")  # therefore heads are kept elsewhere
    assert unaware.returncode == 0


async def test_heads_of_several_pages_are_compared_together_and_none_may_be_missing(
    chains: list[Chain], tmp_path: Path
) -> None:
    mind, pages = chains[0].mind, [tmp_path / "first.json", tmp_path / "second.json"]
    exported = verify(mind, "--json", "--limit", "2", command="heads").stdout
    pages[0].write_text(exported, encoding="utf-8")
    after = json.loads(exported)["next"]
    assert after == "three"  # the last session of the page, in the order of ids
    further = verify(mind, "--json", "--after", after, command="heads").stdout
    pages[1].write_text(further, encoding="utf-8")
    await chains[1].raw(FIVE + "FOREACH (t IN s | DETACH DELETE t)")
    await chains[1].raw(H + "DETACH DELETE h")
    half = verify(mind, "--all", "--against", str(pages[0]))
    assert half.returncode == 2
    assert "is one page of heads; sessions after three are on the next page" in half.stderr
    both = [option for page in pages for option in ("--against", str(page))]
    whole = verify(mind, "--all", *both)
    assert whole.returncode == 1
    assert "✗ two: Chain broken at step 4. The session was deleted" in whole.stdout
    assert verify(mind, "one", *both).returncode == 0
    assert verify(mind, "one", "--against", str(pages[0])).returncode == 0


async def test_with_a_key_unsigned_heads_are_rejected_unless_allowed(
    chains: list[Chain], tmp_path: Path
) -> None:
    mind, heads = chains[0].mind, tmp_path / "heads.json"
    heads.write_text(verify(mind, "--json", command="heads").stdout, encoding="utf-8")
    assert verify(mind, "--all", "--against", str(heads)).returncode == 0
    key = {"LEGACYMIND_SIGNING_KEY_FILE": str(tmp_path / "key")}
    assert verify(mind, "create", command="key", more=key).returncode == 0
    refused = verify(mind, "--all", "--against", str(heads), more=key)
    assert refused.returncode == 2
    assert "have no signature, although there is a key" in refused.stderr
    assert "--allow-unsigned" in refused.stderr
    allowed = verify(mind, "--all", "--against", str(heads), "--allow-unsigned", more=key)
    assert (allowed.returncode, allowed.stderr) == (0, "")
    signed = verify(mind, "--json", command="heads", more=key).stdout
    heads.write_text(signed, encoding="utf-8")
    assert verify(mind, "--all", "--against", str(heads), more=key).returncode == 0
    assert verify(mind, "--against", str(heads), "--signer", str(tmp_path / "key.pub")).returncode == 0
    refused = verify(mind, "--against", str(heads))
    assert (refused.returncode, "not with a key of --signer" in refused.stderr) == (2, True)


async def test_a_namespace_without_sessions_fails_unless_allowed(mind: Mind, tmp_path: Path) -> None:
    heads = tmp_path / "heads.json"
    nothing = verify(mind, "--all", as_process=True)
    assert nothing.returncode == 3
    assert f"The namespace {mind.settings.namespace} has no sessions." in nothing.stderr
    assert "Nothing was verified." in nothing.stderr
    text = verify(mind, "--all", "--json", "--namespace", "no such namespace")
    assert (text.returncode, json.loads(text.stdout)) == (3, [])
    assert "no such namespace" in text.stderr
    allowed = verify(mind, "--all", "--allow-empty")
    assert (allowed.returncode, allowed.stderr) == (0, "")
    assert "0 sessions" in allowed.stdout
    # Sessions of an older export are reported even with --allow-empty.
    exported = {
        "namespace": mind.settings.namespace,
        "heads": [{"sessionId": "one", "step": 0, "hash": "0" * 64}],
    }
    heads.write_text(json.dumps(exported), encoding="utf-8")
    gone = verify(mind, "--all", "--allow-empty", "--against", str(heads))
    assert gone.returncode == 1
    assert "✗ one: Chain broken at step 0. The session was deleted" in gone.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "Pass either SESSION_ID, --action or --all."),
        (("one", "--all"), 2, "Pass either SESSION_ID, --action or --all."),
        (("nobody",), 3, "There is no session nobody"),
        (("one", "--allow-empty"), 2, "--allow-empty requires --all."),
        (("one", "--allow-unsigned"), 2, "--allow-unsigned requires --against."),
        (("one", "--against", "no-such-file.json"), 2, "cannot be read"),
        (("nobody", "--against", "HEADS"), 2, " has no head of nobody."),
        (("--all", "--against", "HEADS", "--namespace", "another"), 2, "heads of another namespace"),
    ],
)
async def test_unverifiable_arguments_are_errors(
    mind: Mind, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    heads = tmp_path / "heads.json"
    exported = {
        "namespace": mind.settings.namespace,
        "heads": [{"sessionId": "one", "step": 0, "hash": "0" * 64}],
    }
    heads.write_text(json.dumps(exported), encoding="utf-8")
    done = verify(mind, *[str(heads) if given == "HEADS" else given for given in arguments])
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_long_verification_reports_progress(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legacymind.services.chain.verification._PROGRESS_INTERVAL", 2)
    await make(mind, "session")
    reported: list[tuple[str, int, int]] = []

    def progress(what: str, done: int, total: int) -> None:
        reported.append((what, done, total))

    report = await mind.services.chain.verify("session", progress=progress)
    assert report == await mind.verify("session")
    assert reported == [("verifying session", 2, 5), ("verifying session", 4, 5)]


Heads = dict[str, Any]


def of_head(**changed: Any) -> Callable[[Heads], Any]:
    return lambda heads: heads["heads"][0].update(changed)


def text_of(heads: Heads) -> str:
    return json.dumps(heads)


SAME_HEADS: dict[str, Callable[[Heads], str]] = {
    "a byte order mark": lambda heads: f"\ufeff{text_of(heads)}",
    "lines of Windows": lambda heads: json.dumps(heads, indent=2).replace("\n", "\r\n"),
    "hashes in upper case": lambda heads: text_of(
        heads | {"heads": [{**heads["heads"][0], "hash": heads["heads"][0]["hash"].upper()}]}
    ),
}


@pytest.mark.parametrize("name", SAME_HEADS)
async def test_the_form_of_a_file_of_heads_does_not_matter(mind: Mind, tmp_path: Path, name: str) -> None:
    await make(mind, "one")
    file = tmp_path / "heads.json"
    file.write_text(SAME_HEADS[name](json.loads(verify(mind, "--json", command="heads").stdout)), "utf-8")
    done = verify(mind, "--against", str(file), "--json")
    (report,) = json.loads(done.stdout)
    assert (done.returncode, report["knownHead"]) == (0, True)
    assert "is unchanged (exported 2" in report["message"]


NO_HEADS: dict[str, Callable[[Heads], Any]] = {
    "step negative": of_head(step=-1),
    "step beyond 32 bits": of_head(step=2**40),
    "step beyond 64 bits": of_head(step=10**400),
    "step a text": of_head(step="4"),
    "step a float": of_head(step=4.0),
    "step NaN": of_head(step=float("nan")),
    "step infinite": of_head(step=float("inf")),
    "step true": of_head(step=True),
    "step a list": of_head(step=[4]),
    "hash a list": of_head(hash=["0" * 64]),
    "hash a number": of_head(hash=0),
    "hash too short": of_head(hash="0" * 63),
    "key a list": of_head(keyId=[]),
    "key a number": of_head(keyId=7),
    "session a number": of_head(sessionId=5),
    "session empty": of_head(sessionId=""),
    "session with a line break": of_head(sessionId="a\nb"),
    "session too long": of_head(sessionId="x" * 1000),
    "session twice": lambda heads: heads["heads"].append(heads["heads"][0]),
    "no session": lambda heads: heads["heads"][0].pop("sessionId"),
    "head a text": lambda heads: heads["heads"].append("x"),
    "heads an object": lambda heads: heads.update(heads={"x": 1}),
    "heads null": lambda heads: heads.update(heads=None),
    "no heads": lambda heads: heads.pop("heads"),
    "namespace a list": lambda heads: heads.update(namespace=[]),
    "next page": lambda heads: heads.update(next=["one"]),
    "another key": lambda heads: heads.update(keyId=["x"], signature=["x"]),
    "signature NaN": lambda heads: heads.update(keyId="x", signature=float("nan")),
}
NO_JSON: dict[str, bytes] = {
    "empty": b"",
    "only a byte order mark": b"\xef\xbb\xbf",
    "blank": b" \r\n",
    "cut": b'{"heads": [',
    "deep": b"[" * 100_000,
    "a list": b"[]",
    "null": b"null",
    "a text": b'"heads"',
    "UTF-16": '{"heads": []}'.encode("utf-16"),
    "another file": b"ssh-ed25519 AAAA",
}


@pytest.mark.parametrize("name", [*NO_HEADS, *NO_JSON])
async def test_a_file_of_other_heads_is_refused(mind: Mind, tmp_path: Path, name: str) -> None:
    await make(mind, "one")
    heads: Heads = json.loads(verify(mind, "--json", command="heads").stdout)
    if name in NO_HEADS:
        NO_HEADS[name](heads)
    file = tmp_path / "heads.json"
    file.write_bytes(NO_JSON.get(name, text_of(heads).encode()))
    done = verify(mind, "--against", str(file))
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("Error: ")
    assert "Nothing was verified." in done.stderr


async def test_each_of_two_files_of_heads_counts(mind: Mind, tmp_path: Path) -> None:
    chain = await make(mind, "one")
    files = [tmp_path / "older.json", tmp_path / "newer.json"]
    files[0].write_text(verify(mind, "--json", command="heads").stdout, "utf-8")
    previous = await chain.hash_of(3)
    head = await rehash(mind, chain.ids[4], {"content": "forged"}, previous)
    await chain.one(H + "SET h.head_hash = $head RETURN 1", head=head)
    files[1].write_text(verify(mind, "--json", command="heads").stdout, "utf-8")
    for order in (files, files[::-1]):
        done = verify(mind, *[part for file in order for part in ("--against", str(file))])
        assert (done.returncode, "The history up to a known head" in done.stdout) == (1, True)
