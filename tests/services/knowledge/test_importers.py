"""The readers of other tools' formats: records from true lines, and a reason for each wrong one."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from legacymind.errors import InvalidInput
from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.model.values import NO_TIME
from legacymind.services.knowledge.importers import csv_tables, mcp_memory
from legacymind.services.knowledge.importers.records import (
    Fault,
    FormatReader,
    SkippedMessage,
    SourceFile,
    Warned,
    as_text,
)
from legacymind.services.knowledge.importers.sources import opened
from tests.services.knowledge.lines import lined

SAMPLES = Path(__file__).parents[3] / "docs" / "samples"


def read(reader: FormatReader, *lines: Any) -> tuple[list[Any], dict[int, str]]:
    """The records of a file, and the faults by their line. SkippedMessage messages are left out."""
    given = [as_text(line) if isinstance(line, str | bytes) else json.dumps(line) for line in lines]
    found = [(place, lined(one)) for place, one in reader([SourceFile("file", given)])]
    records = [record for _, record in found if not isinstance(record, Fault | SkippedMessage | Warned)]
    return records, {place.line: str(fault) for place, fault in found if isinstance(fault, Fault)}


def entity(name: str, *observations: Any, kind: Any = "person") -> dict[str, Any]:
    return {"type": "entity", "name": name, "entityType": kind, "observations": list(observations)}


def relation(source: str, name: str, target: str) -> dict[str, Any]:
    return {"type": "relation", "from": source, "to": target, "relationType": name}


def test_the_reference_memory_is_read_with_relations_last_and_extra_fields_ignored() -> None:
    records, faults = read(
        mcp_memory.read,
        relation("Ada", "works on", "Engine"),
        entity("Ada", "Lives in Lyon", "Ünïcode ✓") | {"createdAt": 5},
        entity("Engine", kind=""),
    )
    assert faults == {}
    assert records == [
        EntityInput(name="Ada", entity_type="person"),
        ObservationInput(entity="Ada", entity_type="person", content="Lives in Lyon"),
        ObservationInput(entity="Ada", entity_type="person", content="Ünïcode ✓"),
        EntityInput(name="Engine", entity_type=""),
        RelationInput(
            source_entity="Ada",
            source_type="person",
            type="works on",
            target_entity="Engine",
        ),
    ]


def test_a_name_is_one_entity_of_the_reference_memory() -> None:
    records, faults = read(
        mcp_memory.read,
        entity("Python", "Is fast", kind="language"),
        entity("Python", "Is long", kind="animal"),
        relation("Python", "eats", "Mouse"),
    )
    assert faults == {}
    types = {record.entity_type for record in records if isinstance(record, EntityInput | ObservationInput)}
    assert types == {"language"}
    assert [record.source_type for record in records if isinstance(record, RelationInput)] == ["language"]


def test_wrong_lines_of_the_reference_memory_have_a_reason() -> None:
    records, faults = read(
        mcp_memory.read,
        "{",
        "[5]",
        b'{"type": "entity", "name": "\xff"}',
        {"type": "graph"},
        entity("Ada") | {"observations": "one"},
        entity("Ada", 5, "Kept, too"),
        {"type": "entity", "entityType": "person"},
        {"type": "relation", "from": "Ada", "to": "Engine"},
        entity("Kept"),
    )
    assert records == [
        EntityInput(name="Ada", entity_type="person"),
        ObservationInput(entity="Ada", entity_type="person", content="Kept, too"),
        EntityInput(name="Kept", entity_type="person"),
    ]
    assert faults == {
        1: "it is not JSON (Expecting property name enclosed in double quotes at character 2)",
        2: "it must be an object",
        3: "it is not UTF-8",
        4: "its type is neither entity nor relation",
        5: "observations: must be a list",
        6: "content: must be text",
        7: "name: is missing",
        8: "type: is missing",
    }


def test_rows_of_csv_are_entities_observations_and_relations_in_this_order() -> None:
    records, faults = read(
        csv_tables.read,
        b"\xef\xbb\xbfkind;Name;entity;content;from;type;to;valid_from;source;floor\n",
        b"relation;;;;Ines;looks after;Pump 3;2026-01-01;;\n",
        b'observation;;Pump 3;"Runs hot;\n',
        b'at ""80"" degrees";;;;;log book;\n',
        b"\n",
        b"entity;Pump 3;;;;;;;;-1\n",
    )
    assert faults == {}
    assert records == [
        EntityInput(name="Pump 3", data={"floor": "-1"}),
        ObservationInput(entity="Pump 3", content='Runs hot;\nat "80" degrees', source="log book"),
        RelationInput(
            source_entity="Ines",
            type="looks after",
            target_entity="Pump 3",
            valid_from=datetime(2026, 1, 1, tzinfo=UTC).replace(tzinfo=None),
        ),
    ]


def test_wrong_rows_of_csv_have_a_reason_and_the_line_where_they_begin() -> None:
    records, faults = read(
        csv_tables.read,
        "entity,content,valid_from,colour\n",
        'Pump 3,"two\n',
        'lines",soon,\n',
        "Pump 3,,,\n",
        b"Pump 3,\xff,,\n",
        "Pump 3,a,b,c,d\n",
        'Pump 3,"a"b,,\n',
        "Pump 3,hot,,red\n",
        "Pump 3,kept,,\n",
    )
    assert records == [ObservationInput(entity="Pump 3", content="kept")]
    assert faults == {
        2: f"valid_from: {NO_TIME}",
        4: "content: is missing",
        5: "it is not UTF-8",
        6: "it has 5 cells, and the header has 4 columns",
        7: "it is not CSV (',' expected after '\"')",
        8: "colour: is unknown",
    }
    for header in ("", "colour,size\n", "from,to\n"):
        with pytest.raises(InvalidInput, match="its columns are not those of entities"):
            read(csv_tables.read, header)


@pytest.mark.parametrize(
    ("name", "head", "format_name"),
    [
        ("memory.jsonl", json.dumps(entity("Ada")), "mcp-memory"),
        ("memory.json", json.dumps(relation("a", "b", "c")), "mcp-memory"),
        ("own.jsonl", '\n{"kind": "header"}', "legacymind"),
        ("people.CSV", "name\nAda\n", "csv"),
    ],
)
def test_a_format_is_recognised_by_the_file(name: str, head: str, format_name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(head, encoding="utf-8")
    assert opened(file, None)[0] == format_name


def test_a_file_of_no_known_format_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(b"\xff\n[5]\n[[[")
    with pytest.raises(InvalidInput, match=r"The format of notes\.txt is not recognised"):
        opened(file, None)
    with pytest.raises(InvalidInput, match="There is no import format 'xml'"):
        opened(file, "xml")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "a.csv").touch()
    with pytest.raises(InvalidInput, match="has no files to import"):
        opened(tmp_path, None)


def test_the_files_of_a_folder_are_read_in_order_and_faults_name_them(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.csv").write_text("from,to,type\nAda,Engine,\n", encoding="utf-8")
    (tmp_path / "1.csv").write_text("name\nAda\n", encoding="utf-8")
    name, files = opened(tmp_path, None)
    places = [(str(place), isinstance(lined(found), Fault)) for place, found in csv_tables.read(files)]
    assert (name, places) == ("csv", [("1.csv, line 2", False), ("b/2.csv, line 2", True)])
    (tmp_path / "note.md").touch()
    assert opened(tmp_path, None)[0] == "csv"
    (tmp_path / "second.md").touch()
    with pytest.raises(InvalidInput, match="has files of several formats"):
        opened(tmp_path, None)
    assert len(opened(tmp_path, "markdown")[1]) == 2
