"""Forged, cut and foreign cursors of every read are invalid input, and nothing else."""

import base64
import copy
import json
from collections.abc import Iterator
from typing import Any, cast

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from tests.fakes import FakeEmbedder
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio

VALUES: list[Any] = [None, True, -1, 0, 2**70, 1.5, float("nan"), "", "x", "\ud800", [], [1], {}, {"a": 1}]
READS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"limit": 2}),
    ("search", {"limit": 2, "order": "created_at_asc"}),
    ("search", {"query": "kettle", "method": "vector", "limit": 2}),
    ("search", {"query": "kettle", "method": "text", "limit": 2}),
    ("search", {"query": "kettle", "limit": 2}),
    ("search_thoughts", {"query": "kettle boils", "limit": 2}),
    ("thoughts_thread", {"session_id": "session", "limit": 2}),
    ("thoughts_thread", {"session_id": "session", "limit": 2, "order": "created_at_desc"}),
]


def written(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def read(cursor: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))


def changed(value: Any) -> Iterator[Any]:
    """The value with each of its parts replaced by each of VALUES, one at a time, and with parts removed."""
    yield from VALUES
    if isinstance(value, list):
        listed: list[Any] = copy.deepcopy(cast("list[Any]", value))
        for number, part in enumerate(listed):
            yield listed[:number] + listed[number + 1 :]
            yield [*listed[:number], part, *listed[number:]]
            for other in changed(part):
                yield [*listed[:number], other, *listed[number + 1 :]]


async def cursors(mind: Mind) -> list[str]:
    found: list[str] = [(await mind.operations[name].call(arguments)).next for name, arguments in READS]
    assert all(found)
    return found


async def fill(mind: Mind) -> None:
    same = [{"content": f"kettle {number}", "injection_scale": 0} for number in range(6)]
    await mind.operations["think_batch"].call({"thoughts": same, "session_id": "session"})
    await text_indexed(mind)


async def test_every_forged_cursor_is_invalid_input_or_a_page(mind: Mind) -> None:
    await fill(mind)
    refused = 0
    for (name, arguments), cursor in zip(READS, await cursors(mind), strict=True):
        for forged in changed(read(cursor)):
            try:
                page = await mind.operations[name].call(arguments | {"after": written(forged)})
            except InvalidInput:
                refused += 1
            else:
                assert (
                    len(page.thoughts if "thread" in name else page.hits) <= 2
                )  # a possible position, since a cursor is not signed
    assert refused > 500


async def test_a_cut_cursor_is_invalid_input(mind: Mind) -> None:
    await fill(mind)
    for (name, arguments), cursor in zip(READS, await cursors(mind), strict=True):
        for cut in (
            cursor[:-1],
            cursor[: len(cursor) // 2],
            cursor[1:],
            cursor[:4],
            f"{cursor}A",
            cursor[::-1],
        ):
            with pytest.raises(InvalidInput):
                await mind.operations[name].call(arguments | {"after": cut})


async def test_a_cursor_is_bound_to_its_read_and_namespace(mind: Mind) -> None:
    await fill(mind)
    own = await cursors(mind)
    async with Mind(
        mind.settings.changed(namespace=f"{mind.settings.namespace}-other"),
        session_id="session",
        embedder=FakeEmbedder(),
    ) as other:
        for number, (name, arguments) in enumerate(READS):
            await mind.operations[name].call(arguments | {"after": own[number]})
            for foreign in own[:number] + own[number + 1 :]:
                with pytest.raises(InvalidInput, match="cursor"):
                    await mind.operations[name].call(arguments | {"after": foreign})
            with pytest.raises(InvalidInput, match="cursor"):
                await other.operations[name].call(arguments | {"after": own[number]})
