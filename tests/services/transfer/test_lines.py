"""The lines of an export that an import refuses, with their number and before anything is stored."""

import json
from typing import Any

import pytest

from legacymind.errors import InvalidInput
from legacymind.services.transfer.fields import members, packed, properties, unpacked
from legacymind.services.transfer.lines import End, is_export, read

HEADER = {"kind": "header", "format": "legacymind", "version": 1, "export": "namespace", "namespace": "n"}


def refused(line: Any) -> str:
    raw = line if isinstance(line, str) else json.dumps(line)
    with pytest.raises(InvalidInput) as raised:
        list(read([json.dumps(HEADER), "", raw]))
    return str(raised.value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "it is not JSON"),
        ([], "it must be an object"),
        ({"kind": "secret"}, "there is no kind 'secret'"),
        *(({"kind": odd}, "there is no kind") for odd in (None, 1, [], [1], {}, {"a": 1}, "x\0")),
        ({"kind": "end"}, "the end has the number of lines"),
        ({"kind": "thought"}, "id is missing"),
        ({"kind": "thought", "id": "a", "colour": 1}, "'colour' is no member of the kind thought"),
        ({"kind": "thought", "id": 1}, "id is not of the type text"),
        ({"kind": "thought", "id": "a", "step_index": 1.5}, "step_index is not of the type whole"),
        ({"kind": "thought", "id": "a", "created_at": "soon"}, "created_at is not a time"),
        ({"kind": "thought", "id": "a", "author": "x" * 40_000}, "at most 4,096 can be indexed"),
        ({"kind": "thought", "id": "a", "other": {"author": "x" * 40_000}}, "at most 4,096 can be indexed"),
        ({"kind": "thought", "id": "a", "content": "\ud800"}, "lone surrogate"),
        ({"kind": "thought", "id": "a", "other": {"namespace": "m"}}, "cannot have the member 'namespace'"),
        ({"kind": "thought", "id": "a", "other": {"x": {"y": 1}}}, "other.x is no value of a property"),
        ({"kind": "thought", "id": "a", "other": {"x": [[1]]}}, "other.x is no value of a property"),
        ({"kind": "thought", "id": "a", "other": {"x": [1, "a"]}}, "other.x is no value of a property"),
        ({"kind": "thought", "id": "a", "in_session": True}, "in_session requires session_id"),
        ({"kind": "thought", "id": "a", "vector": "AAAA"}, "vectors in the header"),
        (
            {"kind": "link", "type": "X", "from": ["session", "a"], "to": ["thought", "b"]},
            "from is not a pair",
        ),
        ({"kind": "link", "type": "", "from": ["thought", "a"], "to": ["thought", "b"]}, "type is missing"),
    ],
)
def test_a_line_with_a_fault_is_refused_with_its_number(line: Any, why: str) -> None:
    message = refused(line)
    assert message.startswith("Line 3 cannot be imported: ")
    assert why in message


@pytest.mark.parametrize(
    "changed", [{"version": 2}, {"export": "session"}, {"namespace": ""}, {"vectors": 1}]
)
def test_a_header_with_a_fault_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="Line 1 cannot be imported"):
        list(read([json.dumps(HEADER | changed)]))


def test_values_of_unknown_properties_and_types_come_back_as_they_were() -> None:
    stored: dict[str, Any] = {
        "id": "a",
        "salience": 3,
        "birthday": "today",
        "odd": float("inf"),
        "tags": [1, 2],
    }
    line = json.loads(json.dumps(members("thought", stored), allow_nan=False))
    assert line.keys() == {"id", "other"}
    assert properties("thought", line) == stored


def test_a_vector_comes_back_exactly() -> None:
    vector = [0.1, -1e-30, 1.0]
    once = unpacked(packed(vector), 3)
    assert unpacked(packed(once), 3) == once
    assert once == pytest.approx(vector)


def test_the_end_tells_how_many_lines_were_written() -> None:
    end = json.dumps({"kind": "end", "lines": 2})
    thought = json.dumps({"kind": "thought", "id": "a"})
    assert [*read([json.dumps(HEADER), "", thought, end])][-1] == End(2, 2)
    assert [*read([json.dumps(HEADER), end])][-1] == End(1, 2)
    with pytest.raises(InvalidInput, match="Line 3 cannot be imported: it follows the end of the export"):
        list(read([json.dumps(HEADER), end, thought]))


@pytest.mark.parametrize("line", [b"", b"[]", b"[" * 60_000, b"\xff", b"{"])
def test_a_first_line_of_any_other_file_is_no_header(line: bytes) -> None:
    assert not is_export(line)
    assert is_export(json.dumps(HEADER).encode("utf-16"))
