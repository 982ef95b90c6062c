"""A redacted thought keeps its place in trails, threads and trees, marked as redacted."""

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from legacymind.doors.answer import jsonable
from legacymind.mind import Mind
from tests.steps import bare
from tests.wire import raw

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

READS: dict[str, dict[str, Any]] = {
    "walk_trail": {"thought_id": "last"},
    "thoughts_thread": {"session_id": "mine"},
    "thoughts_links": {"thought_id": "gone"},
    "thought_tree": {"session_id": "mine", "include_content": True, "include_children": True},
    "thought_for_action": {"action_id": "act"},
    "thought_reasoning_trail": {"action_id": "act"},
    "explain_recall": {"thought_id": "last"},
}


@pytest.fixture
async def ids(mind: Mind) -> dict[str, str]:
    """A redacted thought, and one that follows and recalls it."""
    found: dict[str, str] = {}
    for name, options in {
        "gone": {"created_at": NOW.replace(hour=9), "action_id": "act", "injection_scale": 0},
        "between": {"created_at": NOW.replace(hour=10), "injection_scale": 0, "action_id": "act"},
        "last": {"created_at": NOW, "injection_scale": 2},
    }.items():
        arguments = {"content": f"copper kettle {name}", "session_id": "mine", **options}
        stored = await mind.operations["think"].call(arguments)
        found[name] = bare(stored)
    await mind.operations["redact_thought"].call({"thought_id": found["gone"], "reason": "a test"})
    return found


def redacted(answer: Any) -> list[dict[str, Any]]:
    """Every record of a result that is marked as redacted."""
    if isinstance(answer, list):
        return [record for item in cast("list[Any]", answer) for record in redacted(item)]
    if not isinstance(answer, dict):
        return []
    record = cast("dict[str, Any]", answer)
    mine = [record] if record.get("redacted_at") or record.get("redactedAt") else []
    return mine + [below for value in record.values() for below in redacted(value)]


@pytest.mark.parametrize("operation", READS)
async def test_every_read_marks_only_the_redacted_thought(
    mind: Mind, ids: dict[str, str], operation: str
) -> None:
    given = {name: ids.get(str(value), value) for name, value in READS[operation].items()}
    (record,) = redacted(jsonable(await mind.operations[operation].call(given)))
    assert ids["gone"] in (record.get("id"), record.get("thought_id"), record.get("thoughtId"))
    assert not record.get("text")
    assert not record.get("content")


async def test_a_context_leaves_out_redacted_thoughts(mind: Mind, ids: dict[str, str]) -> None:
    found = await mind.operations["context"].call({"session_id": "mine"})
    assert {hit.id for hit in found.recent} == {ids["between"], ids["last"]}


async def test_nothing_derived_from_the_content_remains(mind: Mind) -> None:
    content = "We cannot call feed_quagga before the zebra is asleep. ValueError: quagga not found. What now?"
    thought = await mind.operations["think"].call({"content": content, "hint": "question"})
    own_id = bare(thought)
    (before,) = await raw(mind, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=own_id)
    copies = [name for name, value in before["t"].items() if "quagga" in str(value)]
    assert {"content", "title", "framework_analysis", "error_signature", "other_forms"} <= set(copies)
    await mind.operations["redact_thought"].call({"thought_id": own_id, "reason": "asked to"})
    (after,) = await raw(mind, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=own_id)
    assert "quagga" not in str(after["t"])
