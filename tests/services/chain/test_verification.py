"""An unchanged chain verifies, with any content and after any use."""

import asyncio

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from tests.services.chain.chains import Chain, H, make, think
from tests.wire import one, raw

pytestmark = pytest.mark.anyio


@pytest.fixture
async def chain(mind: Mind) -> Chain:
    return await make(mind, "session")


async def test_an_unchanged_chain_is_valid_and_complete(chain: Chain) -> None:
    report = await chain.verify()
    assert (report.success, report.valid, report.complete) == (True, True, True)
    assert (report.broken_at, report.broken, report.broken_thought) == (None, None, None)
    assert (report.verdict, report.faults, report.fault_count) == ("intact", [], 0)
    assert (report.thought_count, report.redacted, report.pending_links) == (5, 0, 1)
    assert report.session_id == "session"
    assert report.message == "Chain intact: 5 thoughts verified up to the session's head."
    assert report.head_hash == await chain.one(H + "RETURN h.head_hash") == await chain.hash_of(4)


async def test_steps_count_from_0_and_each_has_the_hash_of_the_previous_one(mind: Mind) -> None:
    think_in_full = mind.operations["think"].call
    results = [await think_in_full({"content": f"number {n}", "verbose_analysis": True}) for n in range(3)]
    links = [result.chain for result in results]
    assert [link.step_index for link in links] == [0, 1, 2]
    assert [link.prev_hash for link in links[1:]] == [link.chain_hash for link in links[:-1]]
    assert len({link.content_hash for link in links}) == 3
    assert all(result.chained for result in results)


async def test_the_same_thoughts_in_another_session_have_another_chain(mind: Mind) -> None:
    for session in ("one", "two"):
        await think(mind, session, "the same thought")
    hashes = await raw(
        mind, "MATCH (t:Thought {namespace: $ns}) RETURN t.prev_hash AS prev", ns=mind.settings.namespace
    )
    assert len({row["prev"] for row in hashes}) == 2


async def test_a_redacted_thought_still_verifies_and_is_counted(chain: Chain) -> None:
    await chain.mind.operations["redact_thought"].call(
        {"thought_id": chain.ids[2], "reason": "names a customer", "author": "ada"}
    )
    report = await chain.verify()
    assert (report.verdict, report.redacted, report.thought_count) == ("intact", 1, 6)
    assert report.message == "Chain intact: 6 thoughts verified up to the session's head. Redacted: 1."
    (step,) = await raw(
        chain.mind,
        "MATCH (t:Thought {namespace: $ns, step_index: 5}) RETURN t.redacts AS redacts, t.author AS author, "
        "t.content AS content, t.thought_type AS type, t.hot AS hot, t.embedding_deferred AS deferred",
        ns=chain.mind.settings.namespace,
    )
    assert step == {
        "redacts": chain.ids[2],
        "author": "ada",
        "content": f"Redacted {chain.ids[2]}: names a customer",
        "type": "redaction",
        "hot": False,
        "deferred": None,
    }
    report = await chain.mind.verify("session", require_key=True)
    assert (report.verdict, {fault.kind for fault in report.faults}) == ("unverifiable", {"unkeyed"})
    again = {"thought_id": chain.ids[2], "reason": "once more"}
    assert (await chain.mind.operations["redact_thought"].call(again)).already
    await think(chain.mind, "session", "the chain goes on")
    report = await chain.verify()
    assert (report.verdict, report.thought_count) == ("intact", 7)


async def test_redactions_and_thoughts_at_once_leave_one_intact_chain(chain: Chain) -> None:
    async with Mind(chain.mind.settings, embedder=chain.mind.vectors.embedder) as other:
        redact = other.operations["redact_thought"].call
        await asyncio.gather(
            *(redact({"thought_id": own_id, "reason": "asked for"}) for own_id in chain.ids * 2),
            *(think(chain.mind, "session", f"meanwhile {number}") for number in range(5)),
        )
    report = await chain.verify()
    assert (report.verdict, report.redacted, report.thought_count) == ("intact", 5, 15)


async def test_a_redaction_removes_the_hypothesis_and_needs_no_session(chain: Chain) -> None:
    mind = chain.mind
    inside = await think(mind, "session", "a claim", hypothesis="the customer is Quentin")
    async with Mind(mind.settings, embedder=mind.vectors.embedder) as other:
        outside = (
            await other.think("free", hypothesis="the customer is Quentin")
        ).delegated_result.thought_id
    for thought_id in (inside, outside):
        await mind.operations["redact_thought"].call({"thought_id": thought_id, "reason": "a name"})
    left = await one(
        mind,
        "MATCH (t:Thought {namespace: $ns}) "
        "WHERE t.hypothesis CONTAINS 'Quentin' OR t.content CONTAINS 'claim' RETURN count(t)",
        ns=mind.settings.namespace,
    )
    assert left == 0
    assert (await chain.verify()).verdict == "intact"


async def test_data_that_memory_adds_to_a_thought_does_not_break_the_chain(chain: Chain) -> None:
    mind = chain.mind
    result = await mind.operations["think"].call({"content": "one two three four five", "injection_scale": 5})
    assert result.memories
    await raw(
        mind,
        "MATCH (t:Thought {namespace: $ns}) SET t.salience = 0.1, t.access_count = 99, t.hot = false, "
        "t.pinned = true, t.title = 'x', t.outcome_score = 1.0 REMOVE t.embedding_a, t.injected_memories "
        "WITH t MATCH (t)-[r:RECALLS]->() DELETE r",
        ns=mind.settings.namespace,
    )
    report = await chain.verify()
    assert (report.valid, report.complete, report.thought_count) == (True, True, 6)


async def test_a_pending_link_that_is_resolved_later_still_verifies(chain: Chain) -> None:
    key = {"idempotency_key": "k"}
    later = await think(chain.mind, "session", "waits for its target", **key)
    await think(chain.mind, "elsewhere", "refers to what is there", revises_thought=later)
    report = await chain.verify()
    assert (report.valid, report.pending_links) == (True, 1)


TEXTS = [
    "\u0000 nul",
    "tab\tand\r\nlines",
    "Zoe\u0308 is not Zo\u00eb",
    "\U0001f469\u200d\U0001f680 \ufb33",
    "x" * 100_000,
    '"quotes" and \\ slashes',
]
MOMENTS = [
    "0001-01-01T00:00:00Z",
    "0999-12-31T23:59:59.999999Z",
    "1969-12-31T23:59:59.000001-11:30",
    "2026-11-21T15:04:05.000006+05:45",
    "9999-12-31T23:59:59.999999Z",
]


async def test_texts_numbers_and_times_are_read_back_as_they_were_hashed(mind: Mind) -> None:
    for text in TEXTS:
        await think(
            mind, "session", text, hypothesis=text, author=text[2:20].replace("\t", " ").split("\r")[0]
        )
    for number in (0.1 + 0.2, 1 / 3, 1e-7, 0, 1, 0.5, "0.30000000000000004"):
        await think(mind, "session", "number", confidence=number, significance=number)
    for moment in MOMENTS:
        await think(mind, "session", "moment", created_at=moment)
    await think(mind, "session", "tags", tags=["plan", "debug", "idea"], context_id="会议")
    report = await mind.operations["verify_chain"].call({"session_id": "session"})
    assert (report.broken, report.valid, report.complete) == (None, True, True)
    stored = "MATCH (t:Thought {namespace: $ns, step_index: $step}) RETURN t.content"
    for step, text in enumerate(TEXTS):
        assert await one(mind, stored, ns=mind.settings.namespace, step=step) == text


@pytest.mark.slow
async def test_a_chain_that_grows_while_it_is_verified_is_complete(mind: Mind) -> None:
    await think(mind, "session", "the first")
    done = asyncio.Event()

    async def grow() -> None:
        for number in range(60):
            await think(mind, "session", f"number {number}")
        done.set()

    growing = asyncio.create_task(grow())
    counts: list[int] = []
    while not done.is_set():
        report = await mind.operations["verify_chain"].call({"session_id": "session"})
        assert (report.valid, report.complete) == (True, True)
        counts.append(report.thought_count)
    await growing
    assert counts == sorted(counts)
    assert len(set(counts)) > 2


async def test_an_unknown_session_is_not_found_and_an_invalid_id_is_rejected(chain: Chain) -> None:
    verify = chain.mind.operations["verify_chain"]
    for arguments in ({"session_id": "none such"}, {"session_id": "session", "namespace": "another"}):
        with pytest.raises(NotFound) as raised:
            await verify.call(arguments)
        assert raised.value.effect
        assert raised.value.hint
    for session_id in ("", " ", "x" * 513, "\ud800", "a\nb", None, 5):
        with pytest.raises(InvalidInput):
            await verify.call({"session_id": session_id})
    assert (await chain.verify()).valid


async def test_a_known_head_needs_step_and_hash_and_its_hash_may_be_in_upper_case(chain: Chain) -> None:
    verify = chain.mind.operations["verify_chain"]
    known = await chain.hash_of(2)
    for half in ({"known_step": 2}, {"known_hash": known}):
        with pytest.raises(InvalidInput, match="belong together"):
            await verify.call({"session_id": "session", **half})
    for wrong in ("x", "x" * 64, known[:-1], f"{known} "):
        with pytest.raises(InvalidInput, match="64 hexadecimal digits"):
            await verify.call({"session_id": "session", "known_step": 2, "known_hash": wrong})
    head = {"known_step": 2, "known_hash": known.upper()}
    assert (await verify.call({"session_id": "session", **head})).known_head is True


async def test_thoughts_without_a_session_are_in_no_chain(chain: Chain) -> None:
    async with Mind(chain.mind.settings, embedder=chain.mind.vectors.embedder) as other:
        result = await other.operations["think"].call({"content": "free"})
    assert (result.chained, result.chain) == (False, None)
    assert (await chain.verify()).thought_count == 5
