"""Redaction acts on what is stored, whatever its marks say; and verification compares both with the chain."""

from collections.abc import AsyncIterator
from typing import LiteralString

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.services.chain.faults import SENTENCES
from legacymind.settings import Settings
from tests.services.chain.chains import Chain, T
from tests.services.chain.documented import check_agrees
from tests.steps import own_namespace
from tests.wire import raw

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings) as opened:
        yield opened


async def redact(chain: Chain, step: int, reason: str = "a name") -> bool:
    """Redact a step; return whether it was redacted already."""
    given = {"thought_id": chain.ids[step], "reason": reason}
    return (await chain.mind.operations["redact_thought"].call(given)).already


async def texts(chain: Chain, step: int) -> set[str]:
    """The texts of a step that are stored."""
    (row,) = await raw(
        chain.mind,
        "MATCH (t:Thought {id: $id}) RETURN t {.content, .salt, .hypothesis} AS texts",
        id=chain.ids[step],
    )
    return {name for name, text in row["texts"].items() if text is not None}


# The marks and texts of a step before it is redacted, or again after it was.
PLANTED: dict[str, LiteralString] = {
    "time": "SET t.redacted_at = datetime()",
    "time and reason": "SET t.redacted_at = datetime(), t.redacted_reason = 'x'",
    "hypothesis alone": "SET t.redacted_at = datetime(), t.hypothesis = 'x' REMOVE t.content",
    "salt alone": "SET t.redacted_at = datetime() REMOVE t.content, t.hypothesis",
}


@pytest.mark.parametrize("name", PLANTED)
async def test_a_planted_mark_does_not_disable_redaction(chain: Chain, name: str) -> None:
    await chain.raw(T + PLANTED[name])
    report = await chain.verify()
    assert (report.verdict, report.broken_at, report.broken_thought) == ("broken", 2, chain.ids[2])
    await check_agrees(chain, report)
    assert await redact(chain, 2) is False
    assert await texts(chain, 2) == set()
    assert (await chain.verify()).verdict == "intact"
    assert await redact(chain, 2) is True


async def test_a_text_that_is_put_back_is_a_fault_and_can_be_redacted_again(chain: Chain) -> None:
    (before,) = await raw(chain.mind, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=chain.ids[2])
    await redact(chain, 2)
    await raw(
        chain.mind,
        "MATCH (t:Thought {id: $id}) SET t.content = $content, t.salt = $salt "
        "REMOVE t.redacted_at, t.redacted_reason",
        id=chain.ids[2],
        content=before["t"]["content"],
        salt=before["t"]["salt"],
    )
    report = await chain.verify()
    assert (report.verdict, report.broken_at, report.broken_thought) == ("broken", 2, chain.ids[2])
    await check_agrees(chain, report)
    assert [(fault.kind, fault.fault) for fault in report.faults] == [
        ("redaction", f"{SENTENCES['redaction'][:-1]} (the text is there again).")
    ]
    assert await redact(chain, 2, "again") is False
    assert await texts(chain, 2) == set()
    assert (await chain.verify()).verdict == "intact"


MARKS: dict[str, LiteralString] = {
    "time": "SET t.redacted_at = t.redacted_at + duration('PT1S')",
    "no time": "REMOVE t.redacted_at",
    "time as text": "SET t.redacted_at = toString(t.redacted_at)",
    "reason": "SET t.redacted_reason = 'another'",
    "no reason": "REMOVE t.redacted_reason",
}


@pytest.mark.parametrize("name", MARKS)
async def test_the_mark_of_a_redaction_is_what_its_step_says(chain: Chain, name: str) -> None:
    await redact(chain, 2)
    assert (await chain.verify()).verdict == "intact"
    await chain.raw(T + MARKS[name])
    report = await chain.verify()
    assert (report.verdict, report.broken_at, report.broken_thought) == ("broken", 2, chain.ids[2])
    assert report.faults[0].kind == "redaction"
    if name != "time as text":  # which an export has, too
        await check_agrees(chain, report)


@pytest.mark.parametrize("thought_type", ["redaction", " Redaction ", "ｒｅｄａｃｔｉｏｎ", "rédaction"])
async def test_no_other_thought_looks_like_a_redaction(chain: Chain, thought_type: str) -> None:
    for name, text in (("thought_record", "content"), ("think", "content")):
        given = {"session_id": chain.session, "thought_type": thought_type, text: "Redacted x: y"}
        with pytest.raises(InvalidInput, match="Only redactions have the type"):
            await chain.mind.operations[name].call(given)


LEFT: dict[str, LiteralString] = {
    "hypothesis": "SET t.hypothesis = 'never'",
    "salt": "SET t.salt = '00'",
    "both": "SET t.hypothesis = 'never', t.salt = '00'",
}


@pytest.mark.parametrize("name", LEFT)
async def test_a_text_without_its_content_is_a_fault(chain: Chain, name: str) -> None:
    await redact(chain, 2)
    await chain.raw(T + LEFT[name])
    report = await chain.verify()
    assert (report.verdict, report.broken_at, report.broken_thought) == ("broken", 2, chain.ids[2])
    await check_agrees(chain, report)


async def test_a_redaction_of_a_redaction_leaves_an_intact_chain(chain: Chain) -> None:
    await redact(chain, 2)
    (step,) = await raw(chain.mind, "MATCH (t:Thought {redacts: $id}) RETURN t.id AS id", id=chain.ids[2])
    given = {"thought_id": step["id"], "reason": "its reason has a name"}
    await chain.mind.operations["redact_thought"].call(given)
    report = await chain.verify()
    assert (report.verdict, report.redacted) == ("intact", 2)
    await check_agrees(chain, report)
