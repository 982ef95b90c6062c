"""Every item of every answer says who said it, and in the core profile that costs at most 40 tokens."""

from typing import Any, Final, cast

import pytest

from legacymind.calls import calling
from legacymind.doors.answer import jsonable
from legacymind.mind import Mind
from legacymind.operations.budget import tokens
from tests.steps import remember, think
from tests.trust.answers import items_of
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio

_SAID: Final = ("said_by", "data")


def _without_marks(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_marks(one) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {
            name: _without_marks(one)
            for name, one in cast("dict[str, Any]", value).items()
            if name not in _SAID
        }
    return value


async def _filled(mind: Mind) -> str:
    """A memory of an agent's; the id of a thought."""
    with calling(agent=True, door="mcp"):
        for n in range(6):
            await think(mind, f"The kettle of room {n} is copper.", session_id=f"room {n}")
        facts = [{"entity": "Kettle", "content": f"The kettle weighs {n} kilograms."} for n in range(4)]
        await remember(mind, observations=facts)
        last = await think(mind, "Which kettle is copper?", session_id="asks", injection_scale=4)
    await text_indexed(mind)
    return last.delegated_result.thought_id


ANSWERS: Final[dict[str, dict[str, Any]]] = {
    "think": {"content": "Is the kettle of copper?", "session_id": "more"},
    "recall": {"content": "Is the kettle of copper?"},
    "search": {"query": "kettle"},
    "context": {"query": "kettle"},
    "get": {"id": "$"},
    "entity": {"name": "Kettle"},
    "walk_trail": {"thought_id": "$"},
    "thoughts_thread": {"session_id": "asks"},
    "explain_recall": {"thought_id": "$"},
    "touched": {"id": "$"},
}

PAID: Final = {"think": 3, "recall": 3, "search": 4}
"""Tokens of an item that a core answer no longer has: the rank of a memory, the step of a hit."""


async def test_every_item_says_who_said_it(mind: Mind) -> None:
    id = await _filled(mind)
    for operation, arguments in ANSWERS.items():
        given = {name: id if value == "$" else value for name, value in arguments.items()}
        with calling(agent=True, door="mcp"):
            answer = jsonable(await mind.operations[operation].call(given))
        items = items_of(answer)
        assert {item.get("said_by") for item in items} == {"agent"}, operation
        assert next(iter(answer)) == "data"
        if operation in PAID:
            cost = tokens(answer) - tokens(_without_marks(answer)) - PAID[operation] * len(items)
            assert cost <= 40, (operation, cost, len(items))
