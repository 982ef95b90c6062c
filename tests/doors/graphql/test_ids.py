"""Global ids: a client's cache keeps the nodes of all namespaces apart, and reads each by its id alone."""

from collections.abc import Iterator
from typing import Any, Final, cast

import pytest
from graphql import build_schema as parse_schema
from graphql import is_interface_type, is_object_type
from hypothesis import given
from hypothesis import strategies as st

from legacymind.doors.access import Offer
from legacymind.doors.graphql import ids
from legacymind.doors.graphql.schema import Schema, build_schema, sdl
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.graph import View
from legacymind.settings import Settings
from tests.steps import own_namespace, think

pytestmark = pytest.mark.anyio

EVERYTHING: Final = """query ($ns: String, $own: ID) {
  sessions(namespace: $ns, ownSessionId: $own, first: 4) { edges { node { ...N
    thoughts(first: 5) { edges { node { ...T } } } } } }
  actions(namespace: $ns, ownSessionId: $own, first: 4) { edges { node { ...N
    thoughts(first: 5) { edges { node { ...T } } } } } }
  chains(namespace: $ns, ownSessionId: $own, first: 4) { edges { node { ...N
    thoughts(first: 5) { edges { node { ...T } } } } } }
}
fragment N on Node { __typename id databaseId namespace }
fragment T on Thought { ...N content session { ...N } action { ...N } follows { ...N }
  recalls { edges { node { ...N ... on Observation { content entity { ...N name } } } } } }"""


async def ask(schema: Schema, document: str, **variables: Any) -> dict[str, Any]:
    result = await schema.execute(document, variables)
    assert result.errors is None, result.errors
    assert result.data is not None
    return result.data


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of an answer that a normalised cache keeps: those with a type and an id."""
    if isinstance(value, list):
        for one in cast("list[Any]", value):
            yield from nodes(one)
    elif isinstance(value, dict):
        read = cast("dict[str, Any]", value)
        if "__typename" in read and "id" in read:
            yield read
        yield from nodes(list(read.values()))


async def fill(mind: Mind) -> None:
    """The same session, action, label and entity as in every other namespace."""
    await mind.operations["remember"].call({"observations": [{"entity": "Kettle", "content": "it leaks"}]})
    for number in range(3):
        await think(
            mind,
            f"the kettle leaks again, {number}",
            session_id="kitchen",
            action_id="tea",
            chain_id="breakfast",
            is_private=number == 1,
            injection_scale=5,
        )


async def test_no_two_nodes_share_a_place_in_a_normalised_cache_and_each_is_read_by_its_id(
    engine_settings: Settings,
) -> None:
    async with own_namespace(engine_settings) as one, own_namespace(engine_settings) as other:
        await fill(one)
        await fill(other)
        schema = build_schema(one)
        namespaces = [one.settings.namespace, other.settings.namespace]
        cache: dict[str, tuple[str, str, str]] = {}
        steps: dict[str, Any] = {}
        for namespace in namespaces:
            for own in (None, "kitchen"):
                read = await ask(schema, EVERYTHING, ns=namespace, own=own)
                for node in nodes(read):
                    key = f"{node['__typename']}:{node['id']}"
                    found = (node["__typename"], node["namespace"], node["databaseId"])
                    assert cache.setdefault(key, found) == found
                    assert node["namespace"] == namespace
                    if "thoughts" in node:  # what a cache keeps of it
                        shown = {thought["databaseId"] for thought in nodes(node["thoughts"])}
                        assert steps.setdefault(key, shown) == shown
        assert {kind for kind, _, _ in cache.values()} == {
            *("Thought", "Entity", "Observation", "Session", "Action", "Chain")
        }
        plain = {(kind, id) for kind, _, id in cache.values()}
        assert ("Session", "kitchen") in plain
        assert len({key for key, found in cache.items() if found[2] == "kitchen"}) == 4
        sent = [key.split(":")[1] for key in cache]
        read = await ask(
            schema,
            "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id databaseId namespace } }",
            ids=sent,
        )
        assert [node["id"] for node in read["nodes"]] == sent
        again = {
            f"{one['__typename']}:{one['id']}": (one["__typename"], one["namespace"], one["databaseId"])
            for one in read["nodes"]
        }
        assert again == cache
        for id in sent:
            node = (await ask(schema, "query ($id: ID!) { node(id: $id) { id } }", id=id))["node"]
            assert node == {"id": id}


async def test_an_id_reads_no_namespace_that_its_sender_may_not_read(engine_settings: Settings) -> None:
    async with own_namespace(engine_settings) as one, own_namespace(engine_settings) as other:
        await fill(one)
        found = list(nodes(await ask(build_schema(one), EVERYTHING)))
        fixed = other.services.of_caller(namespace=other.settings.namespace)
        limited = build_schema(other, lambda _: Offer(fixed.operations(), fixed))
        for node in found:
            for document in ("node(id: $id)", "nodes(ids: [$id])"):
                result = await limited.execute(
                    f"query ($id: ID!) {{ {document} {{ id }} }}", {"id": node["id"]}
                )
                assert result.errors is not None
                assert [(error.extensions or {})["code"] for error in result.errors] == ["refused"]
                assert not any((result.data or {}).values())


async def test_ids_of_nothing_are_null_and_malformed_ones_are_refused(mind: Mind) -> None:
    schema = build_schema(mind)
    view = View(mind.settings.namespace, "")
    for kind in ("Thought", "Entity", "Observation", "Session", "Action", "Chain"):
        read = await ask(
            schema, "query ($id: ID!) { node(id: $id) { id } }", id=ids.encode(kind, view, "nowhere")
        )
        assert read == {"node": None}
    many = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }"
    for document, sent in (
        ("query ($ids: [ID!]!) { node(id: $ids) { id } }", ""),
        (many, ["plain"]),
        (many, [ids.encode("Query", view, "x")]),
        (many, [ids.encode("Thought", view, "")]),
        (many, [ids.encode("Thought", view, "x" * 513)]),
        (many, [ids.encode("Thought", View("", ""), "x")]),
        (many, [ids.encode("Session", view, "x")] * 101),
    ):
        if sent == "":
            continue
        result = await schema.execute(document, {"ids": sent})
        assert result.errors is not None, sent
        assert {(error.extensions or {})["code"] for error in result.errors} == {"invalid_input"}, sent


@given(*[st.text(st.characters(exclude_categories=["Cs"]), max_size=40)] * 4)
def test_an_id_decodes_to_what_it_was_made_of(kind: str, namespace: str, own: str, id: str) -> None:
    assert ids.decode(ids.encode(kind, View(namespace, own), id)) == (kind, View(namespace, own), id)


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: raw.hex()))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a global id"):
        ids.decode(text)


def test_only_nodes_have_an_id_and_every_node_has_a_namespace() -> None:
    schema = parse_schema(sdl())
    node = schema.type_map["Node"]
    assert is_interface_type(node)
    implementing = {kind.name for kind in schema.get_possible_types(node)}
    types = [kind for kind in schema.type_map.values() if is_object_type(kind)]
    with_id = {kind.name for kind in types if "id" in kind.fields}
    assert with_id == implementing
    assert {"id", "databaseId", "namespace"} == set(node.fields)
    query = schema.query_type
    assert query is not None
    assert (set(query.fields["node"].args), set(query.fields["nodes"].args)) == ({"id"}, {"ids"})
