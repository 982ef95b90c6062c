"""A long thought is found by its sections, which go with it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind.mind import Mind
from legacymind.services.think.sections import split
from tests.steps import bare, search, store_thought
from tests.wire import one, raw, text_indexed

pytestmark = pytest.mark.anyio

SUBJECTS = ("kettle", "anchor", "violin", "glacier", "compass", "lantern", "harvest", "turbine")
PAGE = "\n\n".join(
    f"# About the {subject}\n\n" + " ".join(f"The {subject} has part {n} of {subject}s." for n in range(25))
    for subject in SUBJECTS
)


@given(st.lists(st.sampled_from([" ", "\n\n", ". ", "word", "x" * 700, "。", "é", "👩‍🚀"]), max_size=60))
def test_sections_have_the_whole_text_in_order(pieces: list[str]) -> None:
    text = "".join(pieces)
    parts = split(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert max(map(len, parts), default=0) <= 1_200
    assert all(part.strip() and part in text for part in parts)


async def ids(mind: Mind) -> list[str]:
    statement = "MATCH (t:Thought {namespace: $ns}) WHERE t.content IS NOT NULL RETURN collect(t.id) AS ids"
    return await one(mind, statement, ns=mind.settings.namespace)


@pytest.mark.parametrize("method", ["graph", "vector", "text"])
async def test_a_search_finds_the_thought_by_its_section_once(mind: Mind, method: str) -> None:
    whole = await store_thought(mind, PAGE, session_id="one", author="Ada", tags=["page"])
    await text_indexed(mind)
    for subject in SUBJECTS:
        found = await search(mind, f"{subject} of {subject}s", method=method, author="Ada", tags=["page"])
        assert subject in found.hits[0].text
        assert [hit.id for hit in found.hits] == [whole]
    assert [hit.id for hit in (await search(mind, None)).hits] == [whole]
    assert [hit.id for hit in (await mind.context(session_id="two")).recent] == [whole]
    report = await mind.verify("one")
    assert (report.verdict, report.thought_count) == ("intact", 1)


async def test_a_thought_with_sections_counts_once(mind: Mind) -> None:
    await store_thought(mind, PAGE, tags=["page"])
    services, view = mind.services, mind.services.reads.view(None, None)
    tags = await services.lists.tags(view, first=10, after=None)
    assert [(edge.node.name, edge.node.count) for edge in tags.edges] == [("page", 1)]
    spans = await services.session_reads.spans(view, unit="day", time_zone="UTC", since=None)
    assert [span.count for span in spans] == [1]


async def test_a_section_is_read_as_its_thought_and_never_listed(mind: Mind) -> None:
    whole = await store_thought(mind, PAGE, session_id="one", hint="stuck")
    section = next(id for id in await ids(mind) if "::" in id)
    assert (await mind.get(section)).id == whole
    asked = await mind.operations["think"].call(
        {"content": "The glacier has part 3 of glaciers.", "session_id": "two", "max_tokens": 5000}
    )
    explained = await mind.explain_recall(bare(asked))
    assert [memory.id for memory in explained.memories].count(whole) == 1
    assert "::" not in str(explained)
    assert "::" not in str(await mind.context(session_id="two"))
    assert (await mind.thoughts_links(whole)).children == []
    trail = await mind.walk_trail(bare(asked), direction="both")
    assert whole in [step.id for step in trail.steps]
    assert "::" not in str(trail)


async def test_another_thought_recalls_the_thought_by_its_section_once(mind: Mind) -> None:
    whole = await store_thought(mind, PAGE, session_id="one")
    result = await mind.operations["think"].call(
        {"content": "The glacier has part 3 of glaciers.", "session_id": "two", "max_tokens": 5000}
    )
    assert [memory.id for memory in result.memories] == [whole]
    assert "The glacier has part 3 of glaciers." in result.memories[0].text


@pytest.mark.parametrize(
    "options",
    [{"content": PAGE, "is_private": True}, {"content": PAGE[:3_999]}],
    ids=["private", "short"],
)
async def test_a_private_and_a_short_thought_have_none(mind: Mind, options: dict[str, Any]) -> None:
    whole = await store_thought(mind, session_id="one", **options)
    assert await ids(mind) == [whole]


async def test_a_repeated_call_stores_no_section_again(mind: Mind) -> None:
    call = {"session_id": "one", "idempotency_key": "page"}
    first = await store_thought(mind, PAGE, **call)
    before = await ids(mind)
    assert len(before) >= len(SUBJECTS)
    assert await store_thought(mind, PAGE, **call) == first
    assert sorted(await ids(mind)) == sorted(before)


@pytest.mark.parametrize("way", ["redact", "forget", "forget the session", "expire"])
async def test_sections_go_with_their_thought(mind: Mind, way: str) -> None:
    whole = await store_thought(mind, PAGE, session_id="one", expires_at="7d")
    stored = len(await ids(mind))
    match way:
        case "redact":
            await mind.redact_thought(whole, "a test")
        case "forget":
            done = await mind.forget(whole, confirm=True)
            assert done.counts[0].count == stored
        case "forget the session":
            done = await mind.forget(session_id="one", confirm=True)
            assert done.counts[0].count == stored
        case _:
            at = "MATCH (t:Thought {namespace: $ns}) SET t.expires_at = datetime() - duration('P1D')"
            await raw(mind, at, ns=mind.settings.namespace)
            done = await mind.maintenance_ops("expire", apply=True)
    texts = "MATCH (t:Thought {namespace: $ns}) WHERE t.content CONTAINS 'glacier' RETURN count(t) AS n"
    assert await one(mind, texts, ns=mind.settings.namespace) == 0
