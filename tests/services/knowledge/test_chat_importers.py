"""The readers of chats: messages with text become thoughts of a session, in order, with stable ids."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.model.values import NO_TIME
from legacymind.services.knowledge.importers import chatgpt, claude_code, formats, messages
from legacymind.services.knowledge.importers.records import (
    Fault,
    FormatReader,
    SkippedMessage,
    SourceFile,
)
from tests.services.knowledge.lines import ThoughtLine, lined
from tests.services.knowledge.test_importers import read

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


def thoughts(reader: FormatReader, *lines: Any) -> list[ThoughtLine]:
    """The thoughts of a file without faults."""
    records, faults = read(reader, *lines)
    assert faults == {}
    return [record for record in records if isinstance(record, ThoughtLine)]


def message(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content} | more


def test_messages_keep_author_text_and_time_and_those_without_text_are_skipped() -> None:
    found = thoughts(
        messages.read,
        [
            message("system", "You help."),
            message("user", " Hi ", name="ada", created_at=NOON.timestamp()),
            message("assistant", None, tool_calls=[{}]),
            message("tool", "42"),
            message(
                "assistant",
                [{"type": "output_text", "text": "Two"}, {"type": "text", "text": {"value": "parts"}}],
            ),
            message("user", [{"type": "image_url", "image_url": {"url": "x"}}]),
            message("user", "Later", timestamp="2026-03-05T13:00:00Z"),
        ],
    )
    assert [(one.author, one.content, one.session_id) for one in found] == [
        ("ada", "Hi", "file"),
        ("assistant", "Two\n\nparts", "file"),
        ("user", "Later", "file"),
    ]
    assert (found[0].created_at, found[2].created_at) == (NOON, NOON + timedelta(hours=1))


def test_a_list_that_has_grown_or_lost_its_beginning_keeps_the_ids_of_its_messages() -> None:
    chat = [message("user", "yes"), message("assistant", "What?"), message("user", "no")]
    before = [one.id for one in thoughts(messages.read, chat)]
    grown = [one.id for one in thoughts(messages.read, [*chat, message("user", "yes")])]
    assert grown[:3] == before
    assert len(set(grown)) == 4
    assert [one.id for one in thoughts(messages.read, {"messages": chat[1:]})] == before[1:]


def test_messages_without_a_time_end_at_the_time_of_the_file() -> None:
    lines = [json.dumps([message("user", "a"), message("assistant", "b")])]
    found = [lined(record) for _, record in messages.read([SourceFile("a.json", lines, "x/a.json", NOON)])]
    times = [one.created_at for one in found if isinstance(one, ThoughtLine)]
    assert times == [NOON - timedelta(milliseconds=1), NOON]
    assert [one.session_id for one in found if isinstance(one, ThoughtLine)] == ["x/a", "x/a"]


def test_lines_are_conversations_or_the_messages_of_one() -> None:
    lines = [{"messages": [message("user", "a")]}, {"messages": [message("user", "b")]}]
    assert [one.session_id for one in thoughts(messages.read, *lines)] == ["file-1", "file-2"]
    bare = [message("user", "a"), message("assistant", "b")]
    assert [one.session_id for one in thoughts(messages.read, *bare)] == ["file", "file"]
    pretty = json.dumps(bare, indent=2).splitlines()
    assert len(thoughts(messages.read, *pretty)) == 2


def test_wrong_messages_have_a_reason() -> None:
    records, faults = read(
        messages.read,
        {"messages": [5, {"content": "x"}, message("user", "kept")]},
        {"messages": [message("user", 5)]},
        {"messages": [message("user", "x", created_at="soon")]},
        {"text": "x"},
        "{",
    )
    assert len(records) == 1
    assert faults == {
        1: "message 2: its role is missing",
        2: "message 1: its content is neither text nor a list of parts",
        3: f"message 1: its time {NO_TIME}",
        4: "it is neither a list of messages nor an object with messages",
        5: "it is not JSON (Expecting property name enclosed in double quotes at character 2)",
    }
    assert read(messages.read, "[", "{", "]")[1].keys() == {1}


def line(own: str, parent: str | None, text: Any, *, role: str = "user", **more: Any) -> dict[str, Any]:
    """A line of a transcript of Claude Code."""
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "sessionId": "s",
        "type": role,
        "message": {"role": role, "content": text},
        "uuid": own,
        "timestamp": "2026-03-05T12:00:00.000Z",
    } | more


def test_a_transcript_is_a_session_whose_rewound_messages_branch() -> None:
    found = thoughts(
        claude_code.read,
        {"type": "summary", "summary": "Pumps", "leafUuid": "c"},
        line("a", None, "Why?"),
        line("b", "a", [{"type": "tool_use", "name": "Bash", "input": {}}], role="assistant"),
        line("c", "b", [{"type": "tool_result", "tool_use_id": "x", "content": "1"}]),
        line("d", "c", [{"type": "thinking", "thinking": "hm"}], role="assistant"),
        line("e", "d", [{"type": "text", "text": "Because."}], role="assistant"),
        line("f", "e", "<command-name>/clear</command-name>"),
        line("g", "a", "Rather this."),
        line("h", "g", "meta", isMeta=True),
        line("i", "h", [{"type": "text", "text": "Fine."}], role="assistant"),
        line("j", None, "Search.", isSidechain=True, agentId="7"),
    )
    assert [(one.id, one.session_id, one.author, one.branch_from) for one in found] == [
        ("a", "s", "user", None),
        ("e", "s", "assistant", None),
        ("g", "s", "user", "a"),
        ("i", "s", "assistant", None),
        ("j", "s/7", "user", None),
    ]
    assert {one.chain_id for one in found} == {"s"}
    assert {one.created_at for one in found} == {NOON}


def test_wrong_lines_of_a_transcript_have_a_reason() -> None:
    records, faults = read(
        claude_code.read,
        "not JSON",
        line("a", None, "x", uuid=None),
        line("b", None, "x", message=None),
        line("c", None, {"text": "x"}),
        line("d", None, "x", timestamp=None),
        line("e", None, "kept"),
    )
    assert len(records) == 1
    assert {number: reason[:16] for number, reason in faults.items()} == {
        1: "it is not JSON (",
        2: "its uuid or sess",
        3: "its message is m",
        4: "its content is n",
        5: "its time must be",
    }


def chatgpt_export() -> dict[str, Any]:
    """A conversation of ChatGPT with a hidden prompt, a tool call, an image, and an edited prompt."""

    def node(key: str, parent: str | None, role: str, parts: Any, second: float | None, **more: Any) -> Any:
        content = {"content_type": more.pop("content_type", "text"), "parts": parts}
        said = {"id": key, "author": {"role": role}, "content": content, "create_time": second, **more}
        return {"id": key, "parent": parent, "children": [], "message": said if role else None}

    begun = NOON.timestamp()
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    nodes = [
        node("b1", "s", "user", ["Why is the pump hot?"], begun + 1),
        node("root", None, "", None, None),
        node("s", "root", "system", [""], None, **hidden),
        node("b2", "b1", "assistant", ["It runs dry."], begun + 2),
        node("call", "b2", "assistant", ["search()"], begun + 3, recipient="browser"),
        node("why", "call", "assistant", None, begun + 3, content_type="thoughts"),
        node(
            "c1", "s", "user", [{"asset_pointer": "x"}, "And now?"], begun + 5, content_type="multimodal_text"
        ),
        node("c2", "c1", "assistant", ["Still hot."], None),
        node("b3", "why", "user", ["Thanks"], begun + 9),
    ]
    return {
        "title": "Pump",
        "create_time": begun,
        "mapping": {one["id"]: one for one in nodes},
        "current_node": "c2",
        "conversation_id": "chat",
    }


def test_an_export_of_chatgpt_is_read_with_its_branches_in_order_of_time() -> None:
    found = thoughts(chatgpt.read, [chatgpt_export()])
    assert [(one.id, one.author, one.content) for one in found] == [
        ("chat:b1", "user", "Why is the pump hot?"),
        ("chat:b2", "assistant", "It runs dry."),
        ("chat:c1", "user", "And now?"),
        ("chat:c2", "assistant", "Still hot."),
        ("chat:b3", "user", "Thanks"),
    ]
    assert {one.session_id for one in found} == {"chat"}
    assert [(one.created_at - NOON).seconds for one in found] == [1, 2, 5, 5, 9]
    assert thoughts(chatgpt.read, chatgpt_export()) == found
    answers = chatgpt_export()
    answers["mapping"]["c1"]["parent"] = "b1"
    assert [one.branch_from for one in thoughts(chatgpt.read, [answers])] == [
        None,
        None,
        "chat:b1",
        None,
        None,
    ]


def test_spoken_messages_of_chatgpt_are_read() -> None:
    export = chatgpt_export()
    said = export["mapping"]["c1"]["message"]["content"]["parts"]
    said[1] = {"content_type": "audio_transcription", "text": "And now, aloud?"}
    assert "And now, aloud?" in [one.content for one in thoughts(chatgpt.read, [export])]


def test_conversations_of_chatgpt_that_are_none_are_reported() -> None:
    broken = chatgpt_export()
    broken["mapping"]["b2"]["message"]["create_time"] = "noon"
    records, faults = read(chatgpt.read, [{"mapping": {}}, broken, 3])
    assert len(records) == 4
    assert len(faults) == 1
    head = json.dumps([chatgpt_export()]).encode()
    assert formats.recognised("conversations.json", head) == "chatgpt"
    assert formats.recognised("x.json", json.dumps(chatgpt_export()).encode()) == "chatgpt"


def test_messages_of_chatgpt_whose_parents_form_a_cycle_are_reported() -> None:
    export = chatgpt_export()
    export["mapping"]["c1"]["parent"] = "c2"
    found = [lined(one) for _, one in chatgpt.read([SourceFile("c.json", [json.dumps([export])])])]
    read_ids = [record.id for record in found if isinstance(record, ThoughtLine)]
    assert read_ids == ["chat:b1", "chat:b2", "chat:b3"]
    assert [str(record) for record in found if isinstance(record, Fault)] == [
        "conversation 1: message c1: its parents form a cycle",
        "conversation 1: message c2: its parents form a cycle",
    ]


def openai_form(role: Any) -> tuple[FormatReader, Any]:
    return messages.read, [{"role": role, "content": "Hi"}]


def gemini_form(role: Any) -> tuple[FormatReader, Any]:
    return messages.read, {"contents": [{"role": role, "parts": [{"text": "Hi"}]}]}


def chatgpt_form(role: Any) -> tuple[FormatReader, Any]:
    return chatgpt.read, chatgpt_message({"role": role}, {"parts": ["Hi"]})


@pytest.mark.parametrize(
    ("role", "read_as"),
    [
        ("human", "user"),
        ("AI", "assistant"),
        ("model", "assistant"),
        ("bot", "assistant"),
        ("developer", SkippedMessage),
        ("system", SkippedMessage),
        ("tool", SkippedMessage),
        ("narrator", Fault),
        ("", Fault),
        (None, Fault),
        (5, Fault),
    ],
)
@pytest.mark.parametrize("form", [openai_form, gemini_form, chatgpt_form])
def test_every_message_is_a_thought_or_has_a_reason(
    form: Callable[[Any], tuple[FormatReader, Any]], role: Any, read_as: Any
) -> None:
    reader, value = form(role)
    ((_, record),) = reader([SourceFile("file", [json.dumps(value)])])
    found = lined(record)
    assert (found.author if isinstance(found, ThoughtLine) else type(found)) == read_as


def chatgpt_message(author: Any, content: Any) -> dict[str, Any]:
    message = {"id": "a", "author": author, "content": content}
    return {"id": "c", "mapping": {"a": {"id": "a", "parent": None, "message": message}}}


def test_messages_without_text_are_counted_with_their_reasons() -> None:
    chat = [message("assistant", None, tool_calls=[{}]), message("tool", "42"), message("user", " ")]
    found = [*messages.read([SourceFile("file", [json.dumps(chat)])])]
    assert [str(one) for _, one in found] == ["without text", "tool call or result", "without text"]
    transcript = [
        line("a", None, [{"type": "thinking", "thinking": "hm"}], role="assistant"),
        line("b", "a", "<command-name>/clear</command-name>"),
        line("c", "b", "meta", isMeta=True),
        {"type": "summary", "summary": "Pumps", "leafUuid": "c"},
    ]
    found = [*claude_code.read([SourceFile("file", map(json.dumps, transcript))])]
    assert [str(one) for _, one in found] == ["without text", "command", "hidden"]


def test_the_reasoning_of_gemini_is_no_text() -> None:
    parts: list[Any] = [{"text": "hm", "thought": True}, {"text": "Yes."}, {"inlineData": {}}]
    assert [one.content for one in thoughts(messages.read, [{"role": "model", "parts": parts}])] == ["Yes."]
