"""The types of a statement's parameters and rows match its text, nested maps included, in both directions."""

import types
from collections.abc import Iterator
from datetime import datetime
from typing import (
    Annotated,
    Any,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import pytest

from legacymind.db import queries
from legacymind.db.query import Query
from tests.db.cypher_maps import Map, Path, Reads, reads, returned

WHOLE: dict[str, set[Path]] = {
    # Maps of properties that a statement writes unchanged, with any keys.
    "schema/claim_slot": {("details",)},
    "think/store_thoughts": {("thoughts", "properties")},
    "think/redact_thought": {("steps",)},
    "knowledge/remember_entities": {("embedding",), ("rows", "properties")},
    "knowledge/remember_observations": {("embedding",), ("rows", "properties")},
    "knowledge/remember_relations": {("rows", "properties")},
    "maintain/begin_reembed": {("details", "embedding_a"), ("details", "embedding_b"), ("details",)},
    "maintain/embed_deferred": {("details",)},
    "maintain/store_analysis": {("rows", "properties")},
}
"""Parameters whose type may have keys that the text does not name."""

OPEN: dict[str, set[str]] = {
    "schema/read_database": {"database"},  # d {.*}: names carry the embedding slot
    "think/read_earlier": {"stored"},  # same {.*}: a thought with all its properties
    **{f"transfer/export_{kind}": {"properties"} for kind in ("entities", "observations", "steps", "others")},
}
"""Columns that hold all properties of a node, which the text does not name."""


def problems(text: str, query: Query[Any, Any]) -> list[str]:
    """Each difference between a statement's text and the types of its parameters and rows."""
    found = reads(text)
    wrong = list(_inputs(query.parameters, (), found, WHOLE.get(query.file, set())))
    columns = get_type_hints(query.row)
    made = returned(text)
    wrong += [f"returns {name}, which the row lacks" for name in made.keys() - columns.keys()]
    wrong += [f"does not return {name}" for name in columns.keys() - made.keys()]
    for name in columns.keys() & made.keys():
        wrong += _outputs(name, made[name], _records(columns[name]), name in OPEN.get(query.file, set()))
    return wrong


def _inputs(record: Any, path: Path, found: Reads, whole: set[Path]) -> Iterator[str]:
    """Differences between the keys read below a path and those of its type."""
    fields, read = get_type_hints(record), found.keys.get(path, set[str]())
    shown = "$" + ".".join(path)
    # The condition on an optional key is added to the text when it runs.
    optional: frozenset[str] = frozenset() if path else record.__optional_keys__
    yield from (f"{shown}: reads {key}, which the type lacks" for key in sorted(read - fields.keys()))
    if path not in whole:
        yield from (f"{shown}: never reads {key}" for key in sorted(fields.keys() - read - optional))
    elif path not in found.whole:
        yield f"{shown}: is not used as a whole; remove it from WHOLE"
    for key, kind in fields.items():
        below, records = (*path, key), _records(kind)
        # A date-time has components of its own, and the keys of a dict are not known.
        if not records and _scalar(kind) is not datetime and get_origin(_scalar(kind)) is not dict:
            unknown = sorted(found.keys.get(below, ()))
            yield from (f"{shown}.{key}: reads {name} of what is no map" for name in unknown)
        if records:
            (one,) = records
            yield from _inputs(one, below, found, whole)


def _outputs(where: str, made: list[Map], records: list[type], is_open: bool) -> Iterator[str]:
    """Differences between the maps that a column may hold and the TypedDicts of its type."""
    if is_open and not any(one.open for one in made):
        yield f"{where}: names all its keys; remove it from OPEN"
    if is_open and not records:  # the type is dict[str, Any]
        return
    matched: list[type] = []
    for one in made:
        if one.open:
            known = {key for record in records for key in get_type_hints(record)}
            if not is_open:
                yield f"{where}: holds all properties of a node; list it in OPEN"
            yield from (f"{where}: returns {key}, which the type lacks" for key in one.keys.keys() - known)
            continue
        fitting = [record for record in records if get_type_hints(record).keys() == one.keys.keys()]
        if not fitting:
            name, differing = _nearest(one, records)
            yield f"{where}: the text and {name} differ in {differing}"
            continue
        matched += fitting
        for key, kind in get_type_hints(fitting[0]).items():
            yield from _outputs(f"{where}.{key}", one.keys[key], _records(kind), is_open=False)
    if not is_open:
        unmatched = [record.__name__ for record in records if record not in matched]
        yield from (f"{where}: the text never returns {name}" for name in unmatched)


def _nearest(made: Map, records: list[type]) -> tuple[str, list[str]]:
    """The TypedDict most like a map, and the keys that only one of the two has."""
    differing = [(one.__name__, sorted(made.keys.keys() ^ get_type_hints(one).keys())) for one in records]
    return min(differing, key=lambda pair: len(pair[1]), default=("no type", list[str]()))


def _records(kind: Any) -> list[type]:
    """The TypedDicts in a type, behind lists, unions and qualifiers; empty ones stand for an empty map."""
    if is_typeddict(kind):
        return [kind] if get_type_hints(kind) else []
    return [found for part in get_args(kind) for found in _records(part)]


def _scalar(kind: Any) -> Any:
    """The type without None and qualifiers."""
    if get_origin(kind) in (Annotated, NotRequired, Required):
        return _scalar(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return next((part for part in get_args(kind) if part is not type(None)), kind)
    return kind


EVERY = queries.everything()


def named(query: Query[Any, Any]) -> str:
    return query.file


@pytest.mark.parametrize("query", EVERY, ids=named)
def test_the_text_of_a_statement_and_its_types_have_the_same_keys(query: Query[Any, Any]) -> None:
    assert problems(query.text, query) == []


def test_only_the_chain_of_a_thread_is_an_optional_key() -> None:
    optional = {query.file: query.parameters.__optional_keys__ for query in EVERY}
    assert {file: keys for file, keys in optional.items() if keys} == {
        "search/read_session_thread": {"chain_id"}
    }
    takes = {query.file for query in EVERY if "/*filters*/" in query.text}
    assert takes == {
        "recall/find_thoughts",
        "recall/find_tagged",
        "search/list_thoughts",
        "search/read_session_thread",
    }


@pytest.mark.parametrize(
    ("query", "right", "wrong", "expected"),
    [
        (queries.store_thoughts, "= new.namespace\n", "= new.name\n", ["$thoughts: reads name,"]),
        (queries.store_thoughts, "new.heading", "new.head", ["reads head", "$thoughts: never reads heading"]),
        (queries.store_thoughts, "name: link.name,", "name: link.label,", ["$thoughts.links: reads label"]),
        (queries.store_thoughts, "k.memory.line", "k.memory.text", ["$thoughts.memories: never reads line"]),
        (queries.store_thoughts, "memory.recall,", "memory.made,", ["$thoughts.memories: reads made"]),
        (
            queries.store_thoughts,
            "similarity: item.similarity",
            "similarity: item.cosine",
            ["$thoughts.evidence: reads cosine", "$thoughts.evidence: never reads similarity"],
        ),
        (
            queries.store_thoughts,
            "found: l.target IS NOT NULL",
            "there: true",
            ["LinkRow differ in ['found', 'there']"],
        ),
        (queries.read_earlier, "similarity: toFloat", "cosine: toFloat", ["evidence: the text and"]),
        (queries.read_earlier, "access: r.access", "use: r.access", ["memories.parts: the text and"]),
        (queries.find_thoughts, "$request.redactions", "$request.redacted", ["$request: reads redacted"]),
        (queries.find_introduced, "name.introduced", "name.intro", ["$names: never reads introduced"]),
        (queries.read_thought_hits, "result.cosine", "result.near", ["$ranked: never reads cosine"]),
        (
            queries.read_thought_hits,
            ".chain_id, .confidence",
            ".chain_id",
            ["NearThought differ in ['confidence']"],
        ),
        (queries.read_knowledge_hits, "score: result.score,", "", ["NearKnowledge differ in ['score']"]),
        (
            queries.list_thoughts,
            "$request.list_query",
            "$request.query",
            ["reads query", "never reads list_query"],
        ),
        (queries.read_chain, ".author, .content", ".author", ["ChainedThought differ in ['content']"]),
        (queries.read_links, "ids: COLLECT", "id: COLLECT", ["followed_by: the text and PointingRow"]),
        (queries.read_reasoning, "height: height", "level: height", ["trails.steps: the text and"]),
        (queries.read_head, "$session_id", "$session", ["$: reads session", "$: never reads session_id"]),
        (queries.read_head, "AS head_step", "AS step", ["returns step", "does not return head_step"]),
        (queries.embed_deferred, "row.vector", "row.vektor", ["reads vektor", "$rows: never reads vector"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_misspelt_key_in_a_text_is_found(
    query: Query[Any, Any], right: str, wrong: str, expected: list[str]
) -> None:
    assert right in query.text
    found = problems(query.text.replace(right, wrong), query)
    for message in expected:
        assert any(message in problem for problem in found), found
