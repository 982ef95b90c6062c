"""Each filter of the table is obeyed by every way of searching; a new one is proven by its line alone."""

import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast, get_type_hints

import pytest

from legacymind.db.filters import FILTERS, Filter, FilterValues, Is, Scalar, predicate
from legacymind.mind import Mind
from legacymind.model.base import Method
from legacymind.services.search.filters import Filters, conditions
from legacymind.services.search.finder import Finder, SearchRequest
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import raw, text_indexed

pytestmark = pytest.mark.anyio

LOW_AND_HIGH: Mapping[type, tuple[Scalar, Scalar]] = {
    str: ("a", "b"),
    int: (1, 2),
    float: (0.25, 0.75),
    bool: (False, True),
    datetime: (datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)),
}
FLAG = Filter("hot", bool, "=", "hot")
"""A filter that is not in the table, neither text nor number; its property is in the vector index."""


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with Mind(
        replace(engine_settings, namespace=f"test-{uuid.uuid4()}"), embedder=FakeEmbedder()
    ) as opened:
        yield opened


async def two_thoughts(mind: Mind, of: str, values: tuple[Scalar, Scalar]) -> tuple[str, str]:
    """Thoughts that differ only in one property."""
    ids: list[str] = []
    for _ in values:
        stored: Any = await mind.operations["think"].call(
            {"content": "a filtered kettle", "injection_scale": 0}
        )
        ids.append(stored.delegated_result.thought_id.removeprefix("thoughts:"))
    for own_id, value in zip(ids, values, strict=True):
        await raw(
            mind,
            "MATCH (t:Thought {id: $id}) SET t += $properties",
            id=own_id,
            properties={of: value},
        )
    await text_indexed(mind)
    return ids[0], ids[1]


@pytest.mark.parametrize("name", [*FILTERS, FLAG.name])
async def test_every_way_of_searching_obeys_a_filter(
    mind: Mind, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FILTERS, FLAG.name, FLAG)
    one = FILTERS[name]
    values = LOW_AND_HIGH[one.type]
    low, high = await two_thoughts(mind, one.of, values)
    wanted, value = (low, values[0]) if one.operator == "<=" else (high, values[1])
    other = low if wanted == high else high
    finder = Finder(mind.graph, mind.vectors)

    def request(method: Method) -> SearchRequest:
        return SearchRequest(
            query="a filtered kettle",
            kinds=["thought"],
            method=method,
            namespace=mind.settings.namespace,
            own_session="",
            conditions=cast("FilterValues", {name: value}),
            tags=[],
            as_of=None,
            min_similarity=-1.0,
            order="relevance",
            explain=False,
        )

    found = {
        "graph": [hit["id"] for hit in await finder.find(request("graph"), 50)],
        "vector": [hit["id"] for hit in await finder.find(request("vector"), 50)],
        "text": [hit["id"] for hit in await finder.find(request("text"), 50)],
        "list": [hit["id"] for hit in await finder.in_time(request("graph"), 50, 0, None)],
    }
    for way, ids in found.items():
        assert wanted in ids, way
        assert other not in ids, way


def test_every_filter_of_the_table_is_a_parameter_of_callers_and_the_other_way_round() -> None:
    assert get_type_hints(Filters).keys() - {"tags", "as_of"} == FILTERS.keys()
    day: Any = "2026-01-01"
    for name, one in FILTERS.items():
        given: Any = {name: day if one.type in (str, datetime) else 0.5}
        assert conditions(given).keys() == {name}


def test_no_two_filters_make_the_same_comparison() -> None:
    made = [(one.of, one.operator) for one in FILTERS.values()]
    assert len(made) == len(set(made))


def test_values_of_any_type_become_data() -> None:
    assert Is().operator == "="
    found = predicate({"author": "Ada", "confidence_gte": 0.0, "date_to": datetime(2026, 1, 1, tzinfo=UTC)})
    assert found["exact"] == {"author": "Ada"}
    assert found["least"] == {"confidence": 0.0}
    assert found["most"] == {"created_at": datetime(2026, 1, 1, tzinfo=UTC)}
