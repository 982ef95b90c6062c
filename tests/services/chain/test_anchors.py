"""Anchors: one line proves every session, whatever was done to the database since."""

import hashlib
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, LiteralString

import pytest

from legacymind.doors.answer import compact, jsonable
from legacymind.errors import ChainBroken, InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.chain import Anchor, ChainReport
from legacymind.services.chain.anchor_line import AnchorLine, anchor_lines
from legacymind.services.chain.anchors import Leaves
from legacymind.services.chain.merkle import leaf_hash
from legacymind.services.chain.signing import SigningKey
from legacymind.services.shared.chain_keys import key_id
from tests.fakes import FakeEmbedder
from tests.services.chain.chains import FIVE, Chain, H, make, rehash, think
from tests.services.chain.inclusion import is_included
from tests.wire import raw

pytestmark = pytest.mark.anyio

SECRET = "first-secret-of-32-characters-000"
CUT: LiteralString = (
    FIVE + "MATCH (e)-[:IN_SESSION]->(h) "
    "SET h.head_hash = d.chain_hash, h.head_step = 3, h.head_id = d.id DETACH DELETE e"
)
"""Deletes the last step and sets the head to the one before."""

DELETED: LiteralString = (
    FIVE + "MATCH (e)-[:IN_SESSION]->(h) FOREACH (t IN s | DETACH DELETE t) DETACH DELETE h"
)


@pytest.fixture
async def chains(mind: Mind) -> list[Chain]:
    """Three sessions of five thoughts."""
    return [await make(mind, name) for name in ("one", "two", "three")]


@pytest.fixture
async def keyed(mind: Mind) -> AsyncIterator[Mind]:
    """A mind with a key, over the same namespace."""
    async with Mind(replace(mind.settings, chain_key=SECRET), embedder=FakeEmbedder()) as opened:
        yield opened


async def leaves_of(mind: Mind, made: Anchor) -> Leaves | None:
    return await mind.services.anchors.leaves(AnchorLine.parse(made.line), mind.settings.namespace)


async def prove(mind: Mind, session: str, *anchors: Anchor) -> ChainReport:
    """Verify a session against anchors."""
    (report,) = (await mind.verify_all(session, anchors=[made.line for made in anchors])).reports
    return report


def kinds(report: ChainReport) -> list[str]:
    return [fault.kind for fault in report.faults]


async def rewrite(chain: Chain, first: int) -> None:
    """Forge a step, hash every one after it again, and set the head."""
    previous = await chain.hash_of(first - 1)
    for thought_id in chain.ids[first:]:
        previous = await rehash(chain.mind, thought_id, {"content": "forged"}, previous)
    await chain.one(H + "SET h.head_hash = $hash RETURN h.head_step", hash=previous)


async def test_the_root_is_the_merkle_root_of_the_documented_leaves(chains: list[Chain]) -> None:
    mind = chains[0].mind
    made = await mind.anchor()
    hashes = {name: (await mind.verify(name)).head_hash for name in ("one", "three", "two")}
    space = mind.settings.namespace
    texts = [
        f'{{"hash":"{head}","namespace":"{space}","session_id":"{name}","step":4}}'
        for name, head in hashes.items()
    ]
    one, three, two = (hashlib.sha256(b"\x00" + text.encode()).digest() for text in texts)
    left = hashlib.sha256(b"\x01" + one + three).digest()
    assert made.root == hashlib.sha256(b"\x01" + left + two).hexdigest()
    assert (made.sessions, made.headless, made.session_id) == (3, [], None)
    assert made.line.startswith(f"legacymind-anchor 1 root={made.root} sessions=3 time=")
    assert "\n" not in made.line


async def test_sessions_that_grew_are_proven_and_newer_ones_are_in_no_anchor(chains: list[Chain]) -> None:
    mind = chains[0].mind
    made = await mind.anchor()
    await think(mind, "one", "a sixth")
    await think(mind, "new", "a newer session")
    for name in ("one", "two", "three"):
        report = await prove(mind, name, made)
        assert (report.verdict, report.known_head) == ("intact", True)
    with pytest.raises(InvalidInput, match="The anchor has no head of new"):
        await prove(mind, "new", made)
    everything = await mind.verify_all(anchors=[made.line, f"in a commit message:\n{made.line}\n"])
    assert {report.session_id: report.known_head for report in everything.reports} == {
        "new": None,
        "one": True,
        "three": True,
        "two": True,
    }
    assert (everything.verdict, everything.lost) == ("intact", [])


async def test_every_manipulation_since_has_a_kind_of_its_own(chains: list[Chain]) -> None:
    mind = chains[0].mind
    made = await mind.anchor()
    await rewrite(chains[0], 3)
    await chains[1].raw(CUT)
    await chains[2].raw(DELETED)
    for name in ("one", "two"):
        assert (await mind.verify(name)).verdict == "intact"  # without the anchor
    found = {name: await prove(mind, name, made) for name in ("one", "two", "three")}
    assert {name: (report.verdict, kinds(report)) for name, report in found.items()} == {
        "one": ("broken", ["history"]),
        "two": ("truncated", ["cut"]),
        "three": ("broken", ["deleted"]),
    }
    assert "its history is another one" in found["one"].message
    assert "the end was cut off" in found["two"].message
    assert found["three"].message.startswith("The session was deleted.")


async def test_a_keyed_session_rewritten_without_the_key_is_named_rekeyed(keyed: Mind) -> None:
    chain = await make(keyed, "session")
    made = await keyed.anchor()
    leaves = await leaves_of(keyed, made)
    assert leaves is not None
    assert [head.key_id for head in leaves.heads()] == [key_id(SECRET)]
    (first,) = await raw(keyed, "MATCH (t:Thought {id: $id}) RETURN t.prev_hash AS prev", id=chain.ids[0])
    previous = first["prev"]
    for thought_id in chain.ids:
        previous = await rehash(keyed, thought_id, {}, previous)
    await chain.raw(FIVE + "FOREACH (t IN s | SET t.hash_alg = 'sha256' REMOVE t.key_id)")
    await chain.one(H + "SET h.head_hash = $hash REMOVE h.head_key_id RETURN h.id", hash=previous)
    report = await prove(keyed, "session", made)
    assert (report.verdict, kinds(report)) == ("broken", ["rekeyed"])


async def test_without_the_key_the_anchor_proves_nothing_of_a_keyed_session(mind: Mind, keyed: Mind) -> None:
    await make(keyed, "session")
    made = await keyed.anchor()
    report = await prove(mind, "session", made)
    assert (report.verdict, report.known_head) == ("unverifiable", False)
    assert (await prove(keyed, "session", made)).verdict == "intact"


async def test_a_session_is_proven_against_every_anchor(chains: list[Chain]) -> None:
    mind = chains[0].mind
    first = await mind.anchor()
    await chains[2].raw(DELETED)
    await rewrite(chains[0], 4)
    second = await mind.anchor()
    assert (await prove(mind, "one", second)).verdict == "intact"
    report = await prove(mind, "one", first, second)
    assert (report.verdict, kinds(report)) == ("broken", ["history"])
    assert kinds(await prove(mind, "three", first, second)) == ["deleted"]


async def test_the_same_heads_are_stored_once(chains: list[Chain]) -> None:
    mind = chains[0].mind
    first, second = await mind.anchor(), await mind.anchor()
    assert first.root == second.root
    (row,) = await raw(
        mind,
        "MATCH (a:Anchor {namespace: $ns}) WHERE a.root <> 'log' RETURN count(*) AS n",
        ns=mind.settings.namespace,
    )
    assert row["n"] == 1


TAMPERED: dict[str, LiteralString] = {
    "lost": "DELETE a",
    "no leaves": "REMOVE a.leaves",
    "one leaf less": "SET a.leaves = a.leaves[1..]",
    "one leaf changed": "SET a.leaves = [replace(a.leaves[0], '\"step\":4', '\"step\":3')] + a.leaves[1..]",
    "another order": "SET a.leaves = [a.leaves[1], a.leaves[0], a.leaves[2]]",
    "no texts": "SET a.leaves = [1, 2]",
    "a number": "SET a.leaves = 5",
    "another root": "SET a.root = 'x'",
}


@pytest.mark.parametrize("name", TAMPERED)
async def test_lost_or_changed_leaves_make_the_anchor_unverifiable(chains: list[Chain], name: str) -> None:
    mind = chains[0].mind
    made = await mind.anchor()
    await chains[0].raw("MATCH (a:Anchor {namespace: $ns}) WHERE a.root <> 'log' " + TAMPERED[name])
    assert await leaves_of(mind, made) is None
    with pytest.raises(NotFound, match="lost or were changed"):
        await mind.anchor_proof(made.line, "one")
    audit = await mind.verify_all("one", anchors=[made.line])
    assert (audit.verdict, audit.lost) == ("unverifiable", [made.line])
    (report,) = audit.reports
    assert (report.verdict, report.valid, kinds(report)) == ("unverifiable", True, ["leaves"])


async def test_a_forged_copy_of_the_leaves_does_not_hide_the_genuine_one(chains: list[Chain]) -> None:
    mind = chains[0].mind
    made = await mind.anchor()
    await chains[0].raw(
        "MATCH (a:Anchor {namespace: $ns}) UNWIND ['', '~'] AS id "
        "CREATE (x:Anchor) SET x = a {.*, id: id, leaves: ['forged']}"
    )
    leaves = await leaves_of(mind, made)
    assert leaves is not None
    assert leaves.tree.size == 3


async def test_an_export_of_the_heads_can_replace_lost_leaves(chains: list[Chain]) -> None:
    mind = chains[0].mind
    made = await mind.anchor()
    exported = json.loads(compact(jsonable(await mind.chain_heads())))
    await chains[0].raw("MATCH (a:Anchor {namespace: $ns}) DELETE a")
    heads = mind.read_heads(exported).values()
    leaves = await mind.services.anchors.leaves(AnchorLine.parse(made.line), mind.settings.namespace, heads)
    assert leaves is not None
    assert [head.session_id for head in leaves.heads()] == ["one", "three", "two"]


async def test_many_leaves_are_stored_in_parts(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legacymind.services.chain.anchors._PART", 3)
    names = [f"session {number}" for number in range(10)] + ["Ω", "a b"]
    for name in names:
        await think(mind, name, "only")
    made = await mind.anchor()
    (row,) = await raw(
        mind,
        "MATCH (a:Anchor {namespace: $ns}) WHERE a.root <> 'log' RETURN count(*) AS n",
        ns=mind.settings.namespace,
    )
    assert (made.sessions, row["n"]) == (12, 4)
    for name in names:
        assert (await prove(mind, name, made)).known_head is True


async def test_one_session_can_be_anchored_alone(chains: list[Chain]) -> None:
    mind = chains[0].mind
    made = await mind.anchor(session_id="two")
    proof = await mind.anchor_proof(made.line, "two")
    assert (made.sessions, proof.path, proof.tree_size) == (1, [], 1)
    assert made.root == leaf_hash(proof.leaf.encode()).hex()
    assert AnchorLine.parse(made.line).session_id == "two"


async def test_a_proof_convinces_with_the_root_alone(chains: list[Chain]) -> None:
    mind = chains[0].mind
    made = await mind.anchor()
    for given in (made.line, made.root, made.root.upper()):
        proof = await mind.anchor_proof(given, "two")
        path = [bytes.fromhex(sibling) for sibling in proof.path]
        hashed = leaf_hash(proof.leaf.encode())
        assert is_included(hashed, proof.leaf_index, proof.tree_size, path, bytes.fromhex(made.root))
        assert json.loads(proof.leaf) == {
            "hash": proof.hash,
            "namespace": mind.settings.namespace,
            "session_id": "two",
            "step": 4,
        }
    async with Mind(replace(mind.settings, namespace="another"), embedder=FakeEmbedder()) as elsewhere:
        proof = await elsewhere.anchor_proof(made.line, "two")  # The line names its namespace.
    assert proof.namespace == mind.settings.namespace
    with pytest.raises(NotFound, match="no head of nobody"):
        await mind.anchor_proof(made.line, "nobody")
    with pytest.raises(InvalidInput, match="of the namespace"):
        await mind.anchor_proof(made.line, "two", namespace="another")


async def test_what_does_not_exist_cannot_be_anchored(mind: Mind) -> None:
    with pytest.raises(NotFound, match="has no sessions"):
        await mind.anchor()
    with pytest.raises(NotFound, match="no session nobody"):
        await mind.anchor(session_id="nobody")


LOG: LiteralString = "MATCH (a:Anchor {namespace: $ns, root: 'log'}) "
ENTRY: LiteralString = "MATCH (a:Anchor {namespace: $ns, root: 'log', number: 1}) "

PLANTED_LOGS: dict[str, LiteralString] = {
    "removed": LOG + "DELETE a",
    "its first entry removed": "MATCH (a:Anchor {namespace: $ns, root: 'log', number: 0}) DELETE a",
    "number made a text": ENTRY + "SET a.number = 'x'",
    "number made a float": ENTRY + "SET a.number = 1.0",
    "number negative": ENTRY + "SET a.number = -1",
    "number doubled": ENTRY + "SET a.number = 0",
    "number of an entry that is not there": ENTRY + "SET a.number = 7",
    "leaves removed": ENTRY + "REMOVE a.leaves",
    "leaves made a number": ENTRY + "SET a.leaves = 7",
    "leaves made numbers": ENTRY + "SET a.leaves = [7]",
    "two lines in one entry": ENTRY + "SET a.leaves = a.leaves + a.leaves",
    "no line in an entry": ENTRY + "SET a.leaves = []",
    "id removed": ENTRY + "REMOVE a.id",
    "ids removed": LOG + "REMOVE a.id",
    "ids made lists": LOG + "SET a.id = ['x']",
    "ids made a path": LOG + "SET a.id = 'a b/c'",
    "another log": (
        "UNWIND range(0, 9) AS n "
        "CREATE (:Anchor {namespace: $ns, root: 'log', id: 'x', number: n, leaves: ['']})"
    ),
    "an entry without anything": "CREATE (:Anchor {namespace: $ns, root: 'log'})",
}


@pytest.mark.parametrize("name", PLANTED_LOGS)
async def test_a_damaged_log_is_continued_only_by_another_one(mind: Mind, name: str) -> None:
    await make(mind, "one")
    lines = [(await mind.anchor()).line for _ in range(2)]
    await raw(mind, PLANTED_LOGS[name], ns=mind.settings.namespace)
    for _ in range(2):
        with pytest.raises(ChainBroken, match="was changed, or is lost"):
            await mind.anchor()
    assert (await mind.verify_all(anchors=lines)).verdict == "intact"
    await mind.anchor(new_log=True)
    await mind.anchor()
    counts = await raw(
        mind,
        "MATCH (a:Anchor {namespace: $ns, root: 'log'}) RETURN a.number AS number, size(a.leaves) AS lines "
        "ORDER BY number",
        ns=mind.settings.namespace,
    )
    assert counts == [{"number": 0, "lines": 1}, {"number": 1, "lines": 1}]


PLANTED_ANCHORS: dict[str, LiteralString] = {
    "nothing": "",
    "another root": "root: 7, id: 'x', number: 0, leaves: ['{}']",
    "no text as leaf": "root: $root, id: '', number: 'x', leaves: [7]",
    "no leaves": "root: $root, number: 0",
    "leaves that are no list": "root: $root, id: ['x'], number: [1], leaves: true",
    "an id that is no number": "root: $root, id: 0.0 / 0.0, number: 0.0 / 0.0, leaves: ['{}', '[']",
    "parts in another order": "root: $root, id: 5, number: 2, leaves: ['5', 'null', '[]', '\"x\"']",
}


@pytest.mark.parametrize("name", PLANTED_ANCHORS)
async def test_planted_anchors_hide_no_genuine_one(mind: Mind, name: str) -> None:
    await make(mind, "one")
    made = await mind.anchor()
    statement: LiteralString = "CREATE (:Anchor {namespace: $ns, " + PLANTED_ANCHORS[name] + "})"
    statement = statement.replace(", }", "}")  # pyright: ignore[reportAssignmentType]
    await raw(mind, statement, ns=mind.settings.namespace, root=made.root)
    again = await mind.anchor()
    assert (await mind.verify_all(anchors=[made.line, again.line])).verdict == "intact"
    assert (await mind.anchor_proof(made.line, "one")).root == made.root


LEAVES: dict[str, str] = {
    "no JSON": "garbage",
    "no object": "[]",
    "nothing": "null",
    "deep": "[" * 100_000,
    "no head": "{}",
    "a step that is no number": '{"hash":"HASH","namespace":"NS","session_id":"one","step":"x"}',
    "a step beyond all": '{"hash":"HASH","namespace":"NS","session_id":"one","step":1099511627776}',
    "a session that is no text": '{"hash":"HASH","namespace":"NS","session_id":["one"],"step":0}',
    "a session that no call accepts": '{"hash":"HASH","namespace":"NS","session_id":"a\\nb","step":0}',
    "a hash that is none": '{"hash":"x","namespace":"NS","session_id":"one","step":0}',
    "a key that is no text": '{"hash":"HASH","key_id":7,"namespace":"NS","session_id":"one","step":0}',
    "no canonical JSON": '{"step":0,"hash":"HASH","namespace":"NS","session_id":"one"}',
    "another namespace": '{"hash":"HASH","namespace":"x","session_id":"one","step":0}',
}


@pytest.mark.parametrize("name", LEAVES)
async def test_leaves_that_are_no_heads_prove_nothing(mind: Mind, name: str) -> None:
    """Somebody can compute a root over anything, and put its line into the log."""
    await make(mind, "one")
    ns = mind.settings.namespace
    text = LEAVES[name].replace("HASH", "0" * 64).replace("NS", ns)
    root = leaf_hash(text.encode()).hex()
    await raw(
        mind,
        "CREATE (:Anchor {namespace: $ns, root: $root, id: 'x', number: 0, leaves: [$leaf]})",
        ns=ns,
        root=root,
        leaf=text,
    )
    for line in (root, f"legacymind-anchor 1 root={root} sessions=1 namespace={ns}"):
        assert (await mind.verify_all(anchors=[line])).verdict == "unverifiable"
        with pytest.raises(NotFound, match="lost or were changed"):
            await mind.anchor_proof(line, "one")
    empty = hashlib.sha256(b"").hexdigest()
    assert (await mind.verify_all(anchors=[empty])).verdict == "unverifiable"


async def test_the_log_of_an_import_is_kept_beside_the_own_one(mind: Mind, tmp_path: Path) -> None:
    settings, ns = replace(mind.settings, signing_key_file=str(tmp_path / "key")), mind.settings.namespace
    SigningKey.create(tmp_path / "key")
    async with Mind(settings, embedder=FakeEmbedder()) as signing:
        await make(signing, "one")
        before = await signing.anchor(format="checkpoint")
        await raw(
            mind,
            "UNWIND [null, 7, 'x'] AS r CREATE (a:Anchor {namespace: $ns, leaves: 7}) SET a.root = r",
            ns=ns,
        )
        file = tmp_path / "export.jsonl"
        file.write_text("".join([f"{line}\n" async for line in signing.export()]), encoding="utf-8")
        await signing.anchor(new_log=True)
        await signing.import_file(file)
        after = await signing.anchor(format="checkpoint")
        for made, size in ((before, "1"), (after, "2")):
            assert made.checkpoint is not None
            assert made.checkpoint.splitlines()[1] == size
            assert (await signing.verify_all(anchors=[made.checkpoint])).verdict == "intact"
        # A lost log is restored by an import.
        await raw(mind, "MATCH (a:Anchor {namespace: $ns}) WHERE a.root STARTS WITH 'log' DELETE a", ns=ns)
        with pytest.raises(ChainBroken):
            await signing.anchor()
        await signing.import_file(file)
        assert (await signing.anchor(format="checkpoint", old_size=1)).old_size == 1


@pytest.mark.parametrize(
    "line",
    [
        AnchorLine("ab" * 32, "default", 3, "2026-11-22T23:00:00.000000Z"),
        AnchorLine("ab" * 32, "a b=c%\n", 1, "2026-11-22T23:00:00.000000Z", "Ω = 会议"),
        AnchorLine("ab" * 32),
    ],
    ids=["all", "one session", "bare"],
)
async def test_a_line_is_read_as_it_was_written(line: AnchorLine) -> None:
    assert str(line).isascii()
    assert anchor_lines(f"A commit\n\n  {line}\n") == [line]


@pytest.mark.parametrize(
    "text",
    [
        " x ",
        "nothing",
        "legacymind-anchor 1",
        "legacymind-anchor 1 root=12",
        f"legacymind-anchor 2 root={'a' * 64}",
        f"legacymind-anchor 1 root={'a' * 64} sessions=x",
    ],
)
async def test_any_other_text_is_no_anchor(mind: Mind, text: str) -> None:
    with pytest.raises(InvalidInput):
        await mind.verify_all(anchors=[text])


async def test_an_anchor_of_another_size_is_not_proven(chains: list[Chain]) -> None:
    mind = chains[0].mind
    line: Any = AnchorLine.parse((await mind.anchor()).line)
    assert await mind.services.anchors.leaves(replace(line, sessions=4), mind.settings.namespace) is None


@pytest.mark.parametrize("before", ["\ufeff", "# ", "> ", "- ", "\ufeff# \t"])
def test_a_comment_or_a_byte_order_mark_hides_no_anchor(before: str) -> None:
    line = str(AnchorLine("0" * 64, "default", 1, "2026-11-22T23:00:00.000000Z"))
    assert [str(found) for found in anchor_lines(f"{before}{line}\r\nother\n{before}{'1' * 64}\n")] == [
        line,
        "legacymind-anchor 1 root=" + "1" * 64,
    ]
