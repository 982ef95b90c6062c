"""Lines that nobody of ours wrote are refused by their names, and values come back as they were."""

import json
from typing import Any

import pytest

from legacymind.services.knowledge.importers.records import Fault
from legacymind.services.sync.arrival import parts
from legacymind.services.sync.fields import members, properties
from legacymind.services.sync.lines import name_of, read

TIME = "2026-01-01T00:00:00Z"
THOUGHT = {"kind": "thought", "id": "a", "created_at": TIME}
LINK = {"kind": "link", "type": "SOLVES", "from": ["thought", "a"], "to": ["thought", "b"]}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"kind": "secret"}, "there is no kind 'secret'"),
        *(({"kind": odd}, "there is no kind") for odd in (None, 1, [], [1], {}, {"a": 1}, "x\0")),
        ({**THOUGHT, "replica": 1}, "replica is not a text"),
        ({"kind": "thought", "created_at": TIME}, "id is missing"),
        ({"kind": "thought", "id": "a"}, "created_at is missing"),
        ({"kind": "removed", "id": "a"}, "removed_at is missing"),
        ({"kind": "entity", "id": "a", "name_key": "a"}, "type_key is missing"),
        ({**THOUGHT, "colour": 1}, "'colour' is no member of the kind thought"),
        ({**THOUGHT, "id": 1}, "id is not of the type text"),
        ({**THOUGHT, "step_index": 1.5}, "step_index is not of the type whole"),
        ({**THOUGHT, "created_at": "soon"}, "created_at is not a time"),
        ({**THOUGHT, "author": "x" * 40_000}, "at most 4,096 can be indexed"),
        ({**THOUGHT, "content": "\ud800"}, "lone surrogate"),
        ({**THOUGHT, "other": {"namespace": "m"}}, "cannot have the member 'namespace'"),
        ({**THOUGHT, "other": {"x": {"y": 1}}}, "other.x is no value of a property"),
        ({**THOUGHT, "other": {"x": [[1]]}}, "other.x is no value of a property"),
        ({**THOUGHT, "other": {"x": [1, "a"]}}, "other.x is no value of a property"),
        ({**LINK, "from": ["session", "a"]}, "from is not a pair"),
        ({**LINK, "to": "b"}, "to is not a pair"),
        ({**LINK, "type": ""}, "type is missing"),
        ({**LINK, "properties": 1}, "properties is not an object"),
    ],
)
def test_a_line_with_a_fault_is_refused(line: dict[str, Any], why: str) -> None:
    with pytest.raises(Fault) as raised:
        read(line)
    assert why in str(raised.value)


def test_a_refused_line_has_a_name() -> None:
    assert [name_of(THOUGHT), name_of(LINK), name_of({})] == [
        "a",
        "['thought', 'a']-SOLVES->['thought', 'b']",
        "a line without an id",
    ]


def test_lines_of_one_node_are_in_different_transactions() -> None:
    rows = [read(line) for line in (THOUGHT, LINK, {**THOUGHT, "id": "b"}, LINK, THOUGHT, LINK)]
    assert [[row.own.get("id") for row in part] for part in parts(rows)] == [
        ["a", None, "b", None],
        ["a", None],
    ]
    assert [len(part) for part in parts(rows, 3)] == [3, 3]


def test_values_of_unknown_properties_come_back_and_those_of_wrong_types_stay_where_they_are() -> None:
    stored: dict[str, Any] = {"id": "a", "birthday": "today", "odd": float("inf"), "numbers": [1, 2]}
    line = json.loads(json.dumps(members("thought", {**stored, "salience": "high"}), allow_nan=False))
    assert line.keys() == {"id", "other"}
    assert line["other"]["salience"] == "high"
    assert properties("thought", line) == stored
