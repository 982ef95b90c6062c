"""Exported heads: complete, signed, protected against changes, and proof of a session's history."""

import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any, LiteralString

import pytest
import rfc8785

from legacymind.doors.answer import compact, jsonable
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.services.shared.chain_keys import key_id
from tests.fakes import FakeEmbedder
from tests.services.chain.chains import FIVE, Chain, H, T, make, rehash, think

pytestmark = pytest.mark.anyio

SECRET = "first-secret-of-32-characters-000"

Exported = dict[str, Any]


@pytest.fixture
async def chain(mind: Mind) -> Chain:
    return await make(mind, "session")


@pytest.fixture
async def keyed(mind: Mind) -> AsyncIterator[Mind]:
    """A mind with a key, over the same namespace."""
    async with Mind(mind.settings.changed(chain_key=SECRET), embedder=FakeEmbedder()) as opened:
        yield opened


async def export(mind: Mind, **options: Any) -> Exported:
    """The heads as they are read again from a file."""
    return json.loads(compact(jsonable(await mind.operations["chain_heads"].call(options))))


async def test_every_sessions_head_is_exported_in_pages(mind: Mind) -> None:
    names = [f"session {number}" for number in range(7)] + ["Ω", "a b"]
    for name in names:
        await think(mind, name, "only")
    await think(mind, "a b", "one more")
    heads: dict[str, Any] = {}
    after, pages = None, 0
    while True:
        page = await export(mind, limit=4, after=after)
        read = {head["sessionId"]: head for head in page["heads"]}
        assert not heads.keys() & read.keys()
        assert after is None or after < min(read)
        heads |= read
        assert page["namespace"] == mind.settings.namespace
        pages += 1
        if (after := page["next"]) is None:
            break
        assert after == max(read)  # the last session that was read
    assert pages == 3
    assert sorted(heads) == sorted(names) == [name async for name in mind.sessions()]
    assert heads["a b"]["step"] == 1
    for name in names:
        assert heads[name]["hash"] == (await mind.verify(name)).head_hash


async def test_without_a_key_heads_are_unsigned_and_can_be_read_again(chain: Chain) -> None:
    exported = await export(chain.mind)
    assert (exported["keyId"], exported["signature"]) == (None, None)  # a chain key signs nothing
    assert chain.mind.read_heads(exported)["session"].step == 4


async def test_the_digest_is_that_of_the_canonical_form_of_all_other_members(chain: Chain) -> None:
    exported = await export(chain.mind)
    stated = {name: value for name, value in exported.items() if value is not None and name != "digest"}
    assert exported["digest"] == hashlib.sha256(rfc8785.dumps(stated)).hexdigest()
    audit = await chain.mind.verify_all(exports={"heads.json": exported})
    assert (audit.verdict, audit.heads) == ("intact", {"heads.json": exported["digest"]})


@pytest.mark.parametrize(
    "given",
    [[], 5, None, {}, {"heads": 5}, {"heads": [5]}, {"heads": [{"sessionId": "s", "step": "x", "hash": ""}]}],
    ids=str,
)
async def test_a_file_that_is_no_export_of_heads_is_rejected(mind: Mind, given: Any) -> None:
    with pytest.raises(InvalidInput, match=r"not an export of chain heads|exported must be a mapping"):
        mind.read_heads(given)


async def against(chain: Chain, step: int, known_hash: str) -> tuple[bool, bool, bool | None]:
    """Verify against an older head: valid, complete, and whether the head is in the chain."""
    report = await chain.mind.operations["verify_chain"].call(
        {"session_id": chain.session, "known_step": step, "known_hash": known_hash}
    )
    assert ("is unchanged" in report.message) == report.known_head
    kinds = {fault.kind for fault in report.faults} & {"history", "cut", "deleted"}
    assert len(kinds) == (not report.known_head)
    return report.valid, report.complete, report.known_head


async def test_a_chain_that_grew_still_contains_its_older_head(chain: Chain) -> None:
    older = (await chain.verify()).head_hash
    assert older is not None
    for number in range(3):
        await think(chain.mind, "session", f"later {number}")
    assert await against(chain, 4, older) == (True, True, True)
    assert await against(chain, 0, await chain.hash_of(0)) == (True, True, True)
    assert await against(chain, 3, older) == (True, True, False)
    assert await against(chain, 99, older) == (True, True, False)


async def rewrite(chain: Chain, first: int) -> None:
    """Forge a step, re-hash every one after it, and set the head."""
    previous = await chain.hash_of(first - 1)
    for thought_id in chain.ids[first:]:
        previous = await rehash(chain.mind, thought_id, {"content": "forged"}, previous)
    await chain.one(H + "SET h.head_hash = $hash RETURN h.head_step", hash=previous)


async def test_only_an_older_head_reveals_a_history_rewritten_with_its_head(chain: Chain) -> None:
    before = {step: await chain.hash_of(step) for step in range(5)}
    await rewrite(chain, 3)
    report = await chain.verify()
    assert (report.valid, report.complete, report.known_head) == (True, True, None)
    assert [(await against(chain, step, before[step]))[2] for step in range(5)] == [
        True,
        True,
        True,
        False,
        False,
    ]


async def test_only_an_older_head_reveals_a_tail_removed_with_its_head(chain: Chain) -> None:
    older = await chain.hash_of(4)
    await chain.raw(
        FIVE + "MATCH (e)-[:IN_SESSION]->(h) "
        "SET h.head_hash = d.chain_hash, h.head_step = 3, h.head_id = d.id DETACH DELETE e"
    )
    report = await chain.verify()
    assert (report.valid, report.complete) == (True, True)
    assert await against(chain, 4, older) == (True, True, False)
    known = await chain.mind.verify(chain.session, known_step=4, known_hash=older)
    assert (known.verdict, [fault.kind for fault in known.faults]) == ("truncated", ["cut"])


async def test_an_older_head_after_a_break_proves_nothing(chain: Chain) -> None:
    older = await chain.hash_of(4)
    await chain.raw(FIVE + "SET b.content = 'forged'")
    assert await against(chain, 4, older) == (False, True, False)
    assert await against(chain, 0, await chain.hash_of(0)) == (False, True, True)


async def test_a_deleted_session_is_reported_if_its_head_was_exported(chain: Chain) -> None:
    older = await chain.hash_of(4)
    await chain.raw(FIVE + "MATCH (e)-[:IN_SESSION]->(h) FOREACH (t IN s | DETACH DELETE t) DETACH DELETE h")
    assert [name async for name in chain.mind.sessions()] == []
    assert await against(chain, 4, older) == (True, False, False)
    known = await chain.mind.verify(chain.session, known_step=4, known_hash=older)
    assert (known.verdict, [fault.kind for fault in known.faults]) == ("broken", ["deleted"])
    assert known.message.startswith("Chain broken at step 4. The session was deleted")


async def test_a_session_without_its_node_is_verified_with_all_others(chain: Chain) -> None:
    await chain.raw(H + "DETACH DELETE h")
    assert [name async for name in chain.mind.sessions()] == ["session"]
    assert (await export(chain.mind))["heads"] == []


async def test_a_missing_link_leaves_the_history_of_a_known_head(chain: Chain) -> None:
    known = await chain.hash_of(4)
    await chain.raw(T + "MATCH (t)-[r:REVISES]->() DELETE r REMOVE t.chained")
    report = await chain.mind.verify("session", known_step=4, known_hash=known)
    assert (report.verdict, report.known_head) == ("broken", True)
    assert {fault.kind for fault in report.faults} == {"relationship", "unmarked"}


# What is done to a keyed session, whether the key is there, the known step, the verdict, parts of it.
MESSAGES: dict[str, tuple[LiteralString, bool, int, str, tuple[str, ...]]] = {
    "nothing": (
        "RETURN 1",
        True,
        4,
        "intact",
        ("Chain intact: 5 thoughts", "step 4 is unchanged (exported 2"),
    ),
    "no key": (
        "RETURN 1",
        False,
        4,
        "unverifiable",
        ("Chain unverifiable at step 0. A key is not configured",),
    ),
    "a relationship removed": (
        T + "MATCH (t)-[r:REVISES]->() DELETE r",
        True,
        4,
        "broken",
        ("Chain broken at step 2. A relationship", "step 4 is unchanged"),
    ),
    "a mark of a redaction": (
        T + "SET t.redacted_at = datetime()",
        True,
        4,
        "broken",
        ("Chain broken at step 2. A text that was redacted", "step 4 is unchanged"),
    ),
    "a step deleted": (
        T + "DETACH DELETE t",
        True,
        4,
        "broken",
        ("Chain broken at step 2. A step is missing",),
    ),
    "the known step deleted": (
        T + "DETACH DELETE t",
        True,
        2,
        "broken",
        ("Chain broken at step 2.",),
    ),
    "a content changed": (
        T + "SET t.content = 'x'",
        True,
        4,
        "broken",
        ("Chain broken at step 2. The content",),
    ),
    "the last hash changed without the key": (
        FIVE + "MATCH (e)-[:IN_SESSION]->(h) SET e.chain_hash = e.content_hash, h.head_hash = e.content_hash",
        False,
        4,
        "broken",
        ("Chain broken at step 4. The history up to a known head", "step 4, exported 2"),
    ),
    "the end cut off": (
        FIVE + "DETACH DELETE e",
        True,
        4,
        "truncated",
        ("Chain truncated at step 3. The session's head is not the last step", "1 more fault"),
    ),
    "the end cut off without the key": (
        FIVE + "DETACH DELETE e",
        False,
        4,
        "unverifiable",
        ("Chain unverifiable at step 0. A key", "more faults"),
    ),
    "the head removed": (
        H + "REMOVE h.head_hash",
        True,
        4,
        "truncated",
        ("Chain truncated at step 4. The session's head is not", "step 4 is unchanged"),
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
async def test_a_message_says_what_its_verdict_does(mind: Mind, keyed: Mind, name: str) -> None:
    chain = await make(keyed, "session")
    statement, with_key, step, verdict, parts = MESSAGES[name]
    exported = await export(keyed)
    exported["heads"][0].update(step=step, hash=await chain.hash_of(step))
    await chain.raw(statement)
    audit = await (keyed if with_key else mind).verify_all(exports={"x": exported}, allow_unsigned=True)
    (report,) = audit.reports
    assert report.verdict == verdict, report
    assert report.message.startswith(parts[0]), report.message
    for part in parts:
        assert part in report.message
    unproven = {fault.kind for fault in report.faults if "known head at step" in fault.fault}
    assert bool(unproven) == (not report.known_head)
    if with_key and verdict != "broken":
        assert f"Proven by the key {key_id(SECRET)}." in report.message


async def test_the_message_of_an_unverifiable_chain_does_not_say_that_it_is_broken(
    mind: Mind, keyed: Mind
) -> None:
    await think(keyed, "session", "under a key")
    report = await mind.verify("session")
    assert report.verdict == "unverifiable"
    assert report.message.startswith("Chain unverifiable at step 0. A key is not configured")
