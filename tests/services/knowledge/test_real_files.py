"""Files as other programs write them: with byte order marks, long lines, and other files beside them."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.services.knowledge.importers import mcp_memory
from legacymind.services.knowledge.importers.formats import FORMATS
from legacymind.services.knowledge.importers.records import (
    Contents,
    Fault,
    ReadLine,
    SkippedMessage,
    SourceFile,
)
from legacymind.services.knowledge.importers.sources import opened
from legacymind.services.knowledge.importing import records_of
from tests.services.knowledge.lines import ThoughtLine, lined

FILES = Path(__file__).parent / "files"
SAMPLES = Path(__file__).parents[3] / "docs" / "samples"


def read(path: Path) -> tuple[str, list[Any]]:
    """The recognised format, and what was read: records, and the faults of files and lines."""
    name, files = opened(path, None)
    found: list[ReadLine] = [*FORMATS[name].read([file for file in files if not file.fault])]
    return name, [*(file.fault for file in files if file.fault), *(lined(one) for _, one in found)]


def texts(found: list[Any]) -> list[str]:
    """The texts of thoughts, with their authors, the contents and names of knowledge, and other reasons."""
    return [_text(one) for one in found]


def _text(one: Any) -> str:
    match one:
        case ThoughtLine():
            return f"{one.author}: {one.content}"
        case SkippedMessage():
            return f"skipped: {one}"
        case RelationInput():
            return f"{one.source_entity} {one.type} {one.target_entity}"
        case EntityInput():
            return one.name
        case ObservationInput():
            return one.content
        case _:
            return str(one)


PLAN = ["user: What is the plan?", "assistant: We ship on Friday."]


@pytest.mark.parametrize(
    ("file", "format_name", "found"),
    [
        ("bom-memory.jsonl", "mcp-memory", ["Bom", "x", "Crlf", "y"]),
        ("utf16-memory.jsonl", "mcp-memory", ["PowerShell", "x"]),
        ("bom-openai.json", "messages", ["user: Hello there", "assistant: Hi"]),
        (
            "bom-chatgpt.json",
            "chatgpt",
            ["user: hello", "skipped: without text", "user: see image", "skipped: without text"],
        ),
        ("roles-human-ai.json", "messages", PLAN),
        ("gemini-parts.json", "messages", PLAN),
        ("langchain.json", "messages", PLAN),
        ("memory-array.json", "mcp-memory", ["Alice", "a", "Alice knows Alice"]),
        ("roles-model-bot.json", "messages", [*PLAN, "skipped: prompt", "assistant: hi"]),
        (
            "claude-ai.json",
            "messages",
            ["user: What is the plan?", "skipped: without text", *PLAN[1:], "user: A pasted log."],
        ),
        (
            "sharegpt.json",
            "messages",
            ["skipped: prompt", *PLAN, "user: And then?", *["skipped: tool call or result"] * 2],
        ),
        ("librechat.json", "messages", ["user: How wide is the crane?", "assistant: 12 m."]),
        ("mem0.json", "mem0", ["Likes tea", "Answers in French", "alice likes tea"]),
        ("mem0-list.json", "mem0", ["Likes tea"]),
        ("zep-messages.json", "messages", ["Ines: What is the plan?", PLAN[1]]),
        ("zep-thread.json", "messages", ["Ines: What is the plan?", PLAN[1]]),
        (
            "chatgpt-no-content-type.json",
            "chatgpt",
            ["user: When does the ferry leave?", "assistant: At seven."],
        ),
    ],
)
def test_a_file_of_another_program_is_read(file: str, format_name: str, found: list[str]) -> None:
    name, records = read(FILES / file)
    assert (name, texts(records)) == (format_name, found)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    "sample",
    ["memory.jsonl", "messages.json", "tables/entities.csv", "vault/Warm the cache.md"],
)
def test_every_format_is_read_in_every_encoding(sample: str, encoding: str, tmp_path: Path) -> None:
    plain, file = tmp_path / "plain" / Path(sample).name, tmp_path / Path(sample).name
    plain.parent.mkdir()
    text = (SAMPLES / sample).read_text(encoding="utf-8").replace("\n", "\r\n")
    for path, coding in ((plain, "utf-8"), (file, encoding)):
        path.write_bytes(text.encode(coding))
    name, found = read(file)
    expected, records = read(plain)
    assert (name, texts(found)) == (expected, texts(records))
    assert records
    assert not any(isinstance(one, Fault) for one in found)


@given(st.text(st.characters(codec="utf-8")), st.sampled_from(["utf-16", "utf-8-sig", "utf-32"]))
def test_text_in_any_encoding_is_the_same_text(text: str, encoding: str) -> None:
    file = Contents(lambda: io.BytesIO(f"{{{text}".encode(encoding)))
    assert "".join(file) == f"{{{text}".replace("\r\n", "\n").replace("\r", "\n")


def test_a_file_in_utf_16_that_was_cut_has_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "Ada", "entityType": "person", "observations": list[str]()}
    file.write_bytes(f"{json.dumps(entity)}\n{json.dumps(entity)}\n{{".encode("utf-16")[:-1])
    name, files = opened(file, None)
    (_, found), _, (place, fault) = records_of(FORMATS[name], files)
    assert isinstance(found, dict)
    assert (place.line, isinstance(fault, Fault)) == (3, True)


def test_files_in_another_encoding_end_nothing_but_themselves(tmp_path: Path) -> None:
    broken = {
        "latin.md": b"Caf\xe9 opens at nine.\n",
        "noise.md": bytes(range(256)) * 4,
        "torn.md": "Kettles".encode("utf-16")[:-1],
        "torn32.md": "Kettles".encode("utf-32")[:-3],
    }
    for name, written in broken.items():
        (tmp_path / name).write_bytes(written)
    (tmp_path / "whole.md").write_text("Kettles rust.\n", encoding="utf-8")
    name, files = opened(tmp_path, None)
    found = [(place.file, one) for place, one in records_of(FORMATS[name], files)]
    assert {file for file, one in found if isinstance(one, Fault)} == {*broken}
    assert [one.get("content") for _, one in found if isinstance(one, dict)] == [None, "Kettles rust."]


def claude_code(text: str) -> dict[str, Any]:
    message = {"role": "user", "content": [{"type": "text", "text": text}]}
    told = {"type": "user", "timestamp": "2026-03-05T12:00:00Z", "sessionId": "s", "uuid": "a"}
    return told | {"message": message}


LONG = 'word \\" {"role": "user"} ' * 20_000


LONG_FILES: list[tuple[str, Any]] = [
    ("claude-code", claude_code(LONG)),
    ("claude-code", {"message": {"role": "user", "content": LONG}} | claude_code("")),
    ("mcp-memory", {"type": "entity", "name": "x", "observations": [LONG], "entityType": "t"}),
    ("messages", [{"content": LONG, "role": "user"}]),
    ("messages", {"model": "m", "metadata": {"mapping": LONG}, "messages": []}),
    ("chatgpt", [{"title": LONG, "mapping": {}}]),
]


@pytest.mark.parametrize(("format_name", "value"), LONG_FILES)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_format_is_recognised_behind_a_long_text(
    format_name: str, value: Any, indent: int | None, tmp_path: Path
) -> None:
    file = tmp_path / "long.json"
    file.write_text(json.dumps(value, indent=indent), encoding="utf-8")
    assert opened(file, None)[0] == format_name


def test_a_long_first_line_is_read_whole_with_the_lines_after_it(tmp_path: Path) -> None:
    facts = [f"Fact {number} of a long line." for number in range(5_000)]
    entities = [
        {"type": "entity", "name": name, "observations": own, "entityType": "t"}
        for name, own in (("Long", facts), ("Short", ["Last"]))
    ]
    turns = [claude_code(LONG), claude_code("Short")]
    for name, lines, found in (
        ("memory.jsonl", entities, ["Long", *facts, "Short", "Last"]),
        ("transcript.jsonl", turns, [f"user: {LONG.strip()}", "user: Short"]),
    ):
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        assert texts(read(tmp_path / name)[1]) == found


def test_a_file_of_another_format_in_a_folder_does_not_stop_the_others(tmp_path: Path) -> None:
    message = json.dumps([{"role": "user", "content": "Kept"}])
    (tmp_path / "0.json").write_text('{"settings": {"role": 1}}', encoding="utf-8")
    (tmp_path / "a.json").write_text(message, encoding="utf-8")
    (tmp_path / "b.json").write_text(message, encoding="utf-8")
    (tmp_path / "c.jsonl").write_text('{"kind": "header"}', encoding="utf-8")
    name, found = read(tmp_path)
    assert name == "messages"
    assert texts(found) == [
        "the file was left out: its format is not recognised, and others are messages",
        "its format is legacymind, and the folder was read as messages",
        "user: Kept",
        "user: Kept",
    ]


@pytest.mark.parametrize(
    ("ending", "good", "bad"),
    [
        ("csv", "name\nAda\n", "colour\nred\n"),
        (
            "jsonl",
            '{"kind": "header", "format": "legacymind", "version": 1}\n{"kind": "entity", "name": "Ada"}\n',
            '{"kind": "entity", "name": "Bea"}\n',
        ),
    ],
)
def test_a_faulty_file_of_a_folder_does_not_stop_the_others(
    ending: str, good: str, bad: str, tmp_path: Path
) -> None:
    for name, text in (("a", bad), ("b", good)):
        (tmp_path / f"{name}.{ending}").write_text(text, encoding="utf-8")
    _, (fault, record) = read(tmp_path)
    assert str(fault).startswith("the file was not read: ")
    assert texts([record]) == ["Ada"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("listed", [True, False])
def test_a_graph_of_the_reference_memory_is_read(indent: int | None, listed: bool, tmp_path: Path) -> None:
    entities: list[Any] = [{"name": "Alice", "entityType": "person", "observations": ["a"]}]
    relations: list[Any] = [{"from": "Alice", "to": "Alice", "relationType": "knows"}]
    graph = [*relations, *entities] if listed else {"entities": entities, "relations": relations}
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(graph, indent=indent), encoding="utf-8")
    name, found = read(file)
    assert (name, texts(found)) == ("mcp-memory", ["Alice", "a", "Alice knows Alice"])


NAMES = (
    "agents attachments blocks chat_messages contents content conversations core_memory created_at data "
    "edges entities from header label mapping memory message messages nodes parts products relations "
    "results role role_type safeHtmlItem sender source_node_uuid text time timestamp title tool_calls type "
    "user_id uuid value"
).split()
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["user", "2026", '{"type":'])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner)
)


@pytest.mark.parametrize("format_name", [name for name in FORMATS if ".json" in str(FORMATS[name].suffixes)])
@given(value=VALUES)
def test_whatever_json_a_file_has_it_is_read_or_has_a_reason(format_name: str, value: Any) -> None:
    file = SourceFile("file", [json.dumps(value)], "file")
    assert all(place.line == 1 for place, _ in FORMATS[format_name].read([file]))


def test_the_reference_memory_stays_a_stream() -> None:
    line = json.dumps({"name": "Alice", "entityType": "person", "observations": []})
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for _ in range(1000):
            taken += 1
            yield line

    found = mcp_memory.read([SourceFile("memory.jsonl", lines())])
    next(found)
    assert taken == 2
