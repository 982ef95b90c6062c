"""Each statement is sent with one combination of types of parameters, so the server plans it once."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from legacymind.db.connection import Connection
from legacymind.db.filters import FILTERS
from legacymind.db.query import Query
from legacymind.db.sending import checked, sent_text
from legacymind.mind import Mind
from legacymind.services.knowledge.entities import READ_ENTITY
from legacymind.services.maintain.adoption import COUNT_BY_HAND
from legacymind.services.recall.finds import FIND_THOUGHTS
from legacymind.services.think.store import STORE_THOUGHTS
from tests.steps import store_thought

pytestmark = pytest.mark.anyio

LONG = "Was the valve of the boiler shut? " * 40


def types(parameters: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """The types by which Neo4j chooses a plan; it ignores what a map holds."""
    return frozenset(
        (name, "dict" if isinstance(value, dict) else type(value).__name__)
        for name, value in parameters.items()
    )


def test_texts_lists_and_missing_values_are_members_of_one_map() -> None:
    query = READ_ENTITY
    values: Any = dict.fromkeys(query.names, 1) | {"id": None, "namespace": "default"}
    sent = checked(query, values)
    assert sent["given"].keys() | sent.keys() == query.names | {"given"}
    assert sent.keys() - {"given"} == set(re.findall(r"LIMIT \$(\w+)", query.text))
    assert "$given.namespace" in sent_text(query)
    assert "$namespace" not in sent_text(query)
    assert sent_text(COUNT_BY_HAND) == COUNT_BY_HAND.text


def test_the_driver_does_not_format_the_values_for_its_log() -> None:
    query = READ_ENTITY
    values: Any = dict.fromkeys(query.names, 1) | {"id": "a secret", "namespace": "default"}
    assert "id" in repr(checked(query, values))
    assert "a secret" not in repr(checked(query, values))


def test_a_filter_in_a_vector_index_is_sent_likewise() -> None:
    names = [name for name, one in FILTERS.items() if not one.is_list and one.type is str]
    text = sent_text(FIND_THOUGHTS.filtered(names))
    assert [name for name in names if f"$given.{name}" not in text] == []


async def test_calls_of_any_shape_send_one_combination_of_types(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: dict[str, set[frozenset[tuple[str, str]]]] = {}
    execute = Connection.execute

    async def spy(self: Connection, query: Query[Any], parameters: Any, *rest: Any) -> Any:
        sent.setdefault(sent_text(query), set()).add(types(parameters))
        return await execute(self, query, parameters, *rest)

    monkeypatch.setattr(Connection, "execute", spy)
    first = await store_thought(mind, "The boiler failed")
    entities = [{"name": "Boiler", "entity_type": "part"}, {"name": "Valve"}]
    observations = [{"entity": "Boiler", "content": "It is old."}]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("think", {"content": LONG, "session_id": "other", "injection_scale": 5, "parent_id": first}),
        ("think", {"content": "x", "author": "ada", "tags": ["a"], "is_private": True}),
        ("think_batch", {"thoughts": [{"content": "one"}, {"content": "two", "session_id": "third"}]}),
        ("remember", {"entities": entities, "observations": observations}),
        ("remember", {"entities": [{"name": LONG[:30]}]}),
        ("search", {}),
        ("search", {"query": "boiler", "method": "vector"}),
        ("search", {"query": LONG, "kinds": ["thought"], "session_id": "other"}),
        ("search", {"query": "boiler", "method": "text"}),
        ("search", {"query": LONG, "method": "text", "session_id": "other"}),
        ("context", {"query": "boiler"}),
        ("context", {}),
        ("entity", {"name": "Boiler"}),
        ("entity", {"name": "Boiler", "entity_type": "part", "history": True}),
        ("walk_trail", {"thought_id": first}),
        ("walk_trail", {"thought_id": first, "types": ["CHILD_OF"], "direction": "forward"}),
    ]
    for operation, arguments in calls:
        await mind.operations[operation].call(arguments)
    assert STORE_THOUGHTS.text not in sent
    assert sent_text(STORE_THOUGHTS) in sent
    assert {text[:60]: seen for text, seen in sent.items() if len(seen) > 1} == {}
    kinds = {kind for seen in sent.values() for one in seen for _, kind in one}
    assert kinds == {"int", "dict"}
