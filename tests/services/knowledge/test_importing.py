"""The import format, version 1: each item of a file is in the graph once."""

import asyncio
import json
import os
import shutil
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from legacymind import files
from legacymind.errors import EmbeddingError, InvalidInput
from legacymind.mind import Mind
from legacymind.services.knowledge import importing
from legacymind.services.knowledge.importers.records import RefusedLine, checked
from legacymind.services.knowledge.importers.sources import opened
from legacymind.services.knowledge.importing import Imported
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import one, raw

pytestmark = pytest.mark.anyio

SAMPLES = Path(__file__).parents[3] / "docs" / "samples"
HEADER = {"kind": "header", "format": "legacymind", "version": 1}


def seed(name: str, prefix: str) -> list[str]:
    """The sample file with new ids, because a thought's id is unique in the database."""
    return files.text("seed", f"{name}.jsonl").replace("a13-", prefix).splitlines()


@pytest.fixture(scope="module")
async def loaded(engine_settings: Settings) -> AsyncIterator[tuple[Mind, str]]:
    """The whole sample file, loaded once."""
    settings = engine_settings.changed(namespace=f"test-{uuid.uuid4()}")
    prefix = f"{uuid.uuid4().hex[:8]}-"
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        progress: list[tuple[int, int]] = []
        for name in ("knowledge", "thoughts"):
            lines = seed(name, prefix)
            kinds = Counter(json.loads(line)["kind"] for line in lines)
            result = await mind.import_lines(lines, progress=lambda _, done, of: progress.append((done, of)))
            assert result.observations == kinds["observation"]
            assert (result.relations, result.thoughts) == (kinds["relation"], kinds["thought"])
            assert result.entities >= kinds["entity"]
            assert result.known == 0
            assert progress[-1] == (len(lines) - 1, len(lines) - 1)
        yield mind, prefix


async def test_every_thought_of_the_seed_keeps_its_id_time_links_and_session(
    loaded: tuple[Mind, str],
) -> None:
    mind, prefix = loaded
    rows = await raw(
        mind, "MATCH (t:Thought {namespace: $ns}) RETURN t {.*} AS t", ns=mind.settings.namespace
    )
    stored = {row["t"]["id"]: row["t"] for row in rows}
    lines = [json.loads(line) for line in seed("thoughts", prefix)[1:]]
    assert stored.keys() == {line["id"] for line in lines}
    kept = "content session_id chain_id mode author confidence significance hypothesis parent_id".split()
    kept += "revises_thought branch_from previous_thought_id thought_type origin tags".split()
    for line in lines:
        thought = stored[line["id"]]
        assert thought["created_at"] == datetime.fromisoformat(line["created_at"])
        assert thought["recorded_at"] > thought["created_at"]
        for name in kept:
            if name in line:
                assert thought[name] == line[name]


async def test_every_session_of_the_seed_is_an_intact_chain_in_the_order_of_the_file(
    loaded: tuple[Mind, str],
) -> None:
    mind, prefix = loaded
    lines = [json.loads(line) for line in seed("thoughts", prefix)[1:]]
    for session, count in Counter(line["session_id"] for line in lines).items():
        report = await mind.operations["verify_chain"].call({"session_id": session})
        assert (report.broken, report.complete, report.thought_count) == (None, True, count)
        assert report.pending_links == 0
        rows = await raw(
            mind,
            "MATCH (t:Thought {namespace: $ns, session_id: $session}) "
            "RETURN t.id AS id ORDER BY t.step_index",
            ns=mind.settings.namespace,
            session=session,
        )
        assert [row["id"] for row in rows] == [line["id"] for line in lines if line["session_id"] == session]


async def test_thoughts_of_the_seed_recall_only_earlier_ones(loaded: tuple[Mind, str]) -> None:
    mind, _ = loaded
    recalls = (
        "MATCH (t:Thought {namespace: $ns})-[:RECALLS]->(e:Thought) "
        "RETURN [count(*), count(CASE WHEN e.created_at >= t.created_at THEN 1 END)]"
    )
    recalled, later = await one(mind, recalls, ns=mind.settings.namespace)
    assert recalled > 20
    assert later == 0


async def test_loading_the_seed_again_changes_nothing_and_embeds_nothing(loaded: tuple[Mind, str]) -> None:
    mind, prefix = loaded
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    counts = (
        "MATCH (n {namespace: $ns}) OPTIONAL MATCH (n)-[r]->() "
        "RETURN [count(DISTINCT n), count(r), sum(n.access_count)]"
    )
    before = await one(mind, counts, ns=mind.settings.namespace)
    for name in ("knowledge", "thoughts"):
        calls = len(embedder.calls)
        lines = seed(name, prefix)
        result = await mind.import_lines(lines)
        assert result == Imported(known=len(lines) - 1)
        assert [call for call in embedder.calls[calls:] if call] == []
    assert await one(mind, counts, ns=mind.settings.namespace) == before


async def test_the_seed_file_is_utf8_with_a_header() -> None:
    for name in ("knowledge", "thoughts"):
        first = files.path("seed", f"{name}.jsonl").read_bytes().splitlines()[0]
        assert json.loads(first)["kind"] == "header"


async def load(mind: Mind, *lines: Any, header: bool = True, **options: Any) -> Imported:
    given = [line if isinstance(line, str | bytes) else json.dumps(line) for line in lines]
    return await mind.import_lines([json.dumps(HEADER), *given] if header else given, **options)


async def nodes(mind: Mind) -> int:
    return await one(mind, "MATCH (n {namespace: $ns}) RETURN count(n)", ns=mind.settings.namespace)


def thought(name: str, **more: Any) -> dict[str, Any]:
    line = {"kind": "thought", "content": f"thought {name}", "created_at": "2026-01-01T00:00:00Z"}
    return line | {"id": name} | more


ENTITY = {"kind": "entity", "name": "kettle"}
FACT = {"kind": "observation", "entity": "kettle", "content": "It is hot."}
LINK = {"kind": "relation", "from": "kettle", "to": "stove", "type": "STANDS_ON"}


async def test_lines_may_be_text_or_bytes_and_blank_lines_are_ignored(mind: Mind) -> None:
    result = await load(mind, "", json.dumps(ENTITY).encode(), "  \n", b"\n", FACT | {"content": "Ünïcode ✓"})
    assert (result.entities, result.observations, result.known) == (1, 1, 0)


async def test_other_calls_are_answered_while_a_file_is_read(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(found: dict[str, Any]) -> Any:
        time.sleep(0.02)
        return checked(found)

    monkeypatch.setattr(importing, "checked", slow)
    reading = asyncio.create_task(load(mind, *[ENTITY] * 20, dry_run=True))
    turns = 0
    while not reading.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert turns > 10
    assert (await reading).entities == 1


async def test_known_lines_are_counted_and_implied_entities_are_not(mind: Mind) -> None:
    assert await load(mind, FACT, LINK) == Imported(entities=2, observations=1, relations=1)
    assert await load(mind, ENTITY, FACT, LINK) == Imported(known=3)
    assert await load(mind, ENTITY, ENTITY | {"name": "KETTLE"}, LINK | {"type": "BOILS_ON"}) == Imported(
        relations=1, known=2
    )


async def test_knowledge_without_a_time_was_always_valid_and_relations_keep_their_times(mind: Mind) -> None:
    await load(
        mind, ENTITY, FACT, LINK | {"valid_from": "2026-01-01T00:00:00", "valid_to": "2026-02-01T00:00:00Z"}
    )
    found = await mind.operations["search"].call({"query": "kettle hot", "as_of": "0001-01-01T00:00:00Z"})
    assert {hit.kind for hit in found.hits} == {"entity", "observation"}
    row = await one(
        mind, "MATCH ({namespace: $ns})-[r:STANDS_ON]->() RETURN r {.*}", ns=mind.settings.namespace
    )
    assert (row["valid_from"], row["valid_to"]) == (
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(2026, 2, 1, tzinfo=UTC),
    )


async def test_a_link_may_point_to_a_later_line_or_to_another_file(mind: Mind) -> None:
    a, b, c = (f"{uuid.uuid4()}-{name}" for name in "abc")
    first = thought(a, session_id="s", revises_thought=b, parent_id=c)
    assert (await load(mind, first, thought(b, session_id="s"))).thoughts == 2
    report = await mind.operations["verify_chain"].call({"session_id": "s"})
    assert (report.valid, report.pending_links) == (True, 1)
    await load(mind, thought(c))
    report = await mind.operations["verify_chain"].call({"session_id": "s"})
    assert (report.valid, report.pending_links) == (True, 0)


async def test_modes_and_submodes_have_other_names_and_dropped_tags_are_reported(mind: Mind) -> None:
    name = str(uuid.uuid4())
    line = thought(name, mode="debugging", submode="ProblemSolving", tags=["Plan", "secret"])
    async with Mind(mind.settings.changed(tags="plan"), embedder=FakeEmbedder()) as strict:
        assert await load(strict, line) == Imported(thoughts=1, dropped_tags=["secret"])
        assert await load(strict, line) == Imported(known=1)
    stored = await one(mind, "MATCH (t:Thought {id: $id}) RETURN [t.mode, t.submode] + t.tags", id=name)
    assert stored == ["debug", "problem_solving", "plan"]


async def test_a_known_id_with_other_content_is_refused(mind: Mind) -> None:
    name = str(uuid.uuid4())
    await load(mind, thought(name))
    refused = [RefusedLine(line=4, reason=f"its id, {name}, belongs to another thought")]
    result = await load(mind, ENTITY, "", thought(name, content="something else"))
    assert (result.entities, result.thoughts, result.refused) == (1, 0, refused)
    # Also from another namespace: ids are unique in the database.
    elsewhere = await load(mind, thought(name), namespace=f"{mind.settings.namespace}-other")
    assert (elsewhere.thoughts, len(elsewhere.refused)) == (0, 1)
    assert (await load(mind, thought(name))).known == 1


BAD: list[tuple[Any, str]] = [
    ("{", "it is not JSON"),
    ("not json", "it is not JSON"),
    (b'{"kind": "entity", "name": "\xff"}', "it is not UTF-8"),
    ("5", "it"),
    ("[]", "it"),
    ("[" * 100_000, "nested too deeply"),
    ('{"kind": "entity", "name": "x", "data": {"a": ' + "9" * 5000 + "}}", "it cannot be read"),
    ({"name": "x"}, "it"),
    ({"kind": "dream", "name": "x"}, "dream"),
    (HEADER | {"version": 2}, "format version 1, not 2"),
    (HEADER | {"format": "other"}, "format"),
    ({"kind": "entity"}, "name"),
    (ENTITY | {"colour": "red"}, "colour"),
    (ENTITY | {"name": " "}, "entity name is empty"),
    ('{"kind": "entity", "name": "\\ud800"}', "surrogate"),
    (ENTITY | {"data": "x"}, "data"),
    (FACT | {"content": ""}, "content is empty"),
    (LINK | {"to": ""}, "entity name is empty"),
    ({"kind": "thought", "content": "x", "created_at": "2026-01-01T00:00:00Z"}, "id"),
    (thought("bad", content=" "), "content is empty"),
    (thought("bad", created_at="once"), "created_at"),
    (thought("bad", created_at="9999-12-31T23:00:00-05:00"), "outside the years"),
    (thought("bad", submode="grumpy"), "submode"),
    (thought("bad", confidence="nan"), "confidence"),
    (thought("good", content="the id again"), "an earlier line has another thought with the id 'good'"),
    (thought("é" * 257), "id is 514 bytes"),
]


async def test_invalid_lines_are_reported_and_all_others_are_imported(mind: Mind) -> None:
    own = str(uuid.uuid4())
    bad = [
        (line, why)
        for line, why in BAD
        if "version" not in why and why != "format" and "id again" not in str(line)
    ]
    result = await load(mind, ENTITY, *(line for line, _ in bad), thought(own))
    assert (result.entities, result.thoughts) == (1, 1)
    assert [refused.line for refused in result.refused] == [3 + n for n in range(len(bad))]
    for refused, (_, why) in zip(result.refused, bad, strict=True):
        assert why in refused.reason


LONG = "é" * 51_201  # 102,402 bytes
TOO_LONG: list[tuple[Any, str]] = [
    ("x" * (1024 * 1024 + 1), "the line has 1,048,577 characters; at most 1,048,576 are read"),
    (thought("long", content=LONG), "content is 102,402 bytes of UTF-8; at most 102,400 are stored"),
    (thought("long", hypothesis=LONG), "hypothesis is 102,402 bytes of UTF-8; at most 102,400 are stored"),
    (ENTITY | {"data": {"a": LONG}}, "data is 102,411 bytes of UTF-8; at most 102,400 are stored"),
]


async def test_a_line_that_is_too_long_is_reported_and_all_others_are_imported(mind: Mind) -> None:
    steps: list[tuple[int, int]] = []

    def progress(_: str, done: int, total: int) -> None:
        steps.append((done, total))

    lines = [line for line, _ in TOO_LONG]
    name = str(uuid.uuid4())
    after = thought(name, session_id="s", previous_thought_id="long")
    result = await load(mind, ENTITY, *lines, FACT, after, progress=progress)
    refused = [RefusedLine(line=3 + n, reason=reason) for n, (_, reason) in enumerate(TOO_LONG)]
    assert result == Imported(entities=1, observations=1, thoughts=1, refused=refused)
    assert steps[-1] == (3, 3)
    report = await mind.operations["verify_chain"].call({"session_id": "s"})
    assert (report.valid, report.pending_links) == (True, 1)
    assert await load(mind, ENTITY, *lines, FACT, after) == Imported(known=3, refused=refused)


async def test_a_first_line_that_is_too_long_is_no_header(mind: Mind) -> None:
    with pytest.raises(InvalidInput, match="it is longer than 1,048,576 characters"):
        await load(mind, "x" * (1024 * 1024 + 1), header=False)


async def test_a_dry_run_checks_the_file_and_stores_nothing(mind: Mind) -> None:
    lines = (ENTITY, FACT, LINK, thought("dry"), thought("long", content=LONG))
    result = await load(mind, *lines, dry_run=True)
    assert result == Imported(
        entities=2,  # as an import makes them: one is only named
        observations=1,
        relations=1,
        thoughts=1,
        refused=[RefusedLine(line=6, reason=TOO_LONG[1][1])],
    )
    assert await nodes(mind) == 0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "Line 1 cannot be imported: the file is empty"),
        (["", "\n"], "the file is empty"),
        ([ENTITY], "Line 1 cannot be imported: the file does not begin with a header line"),
        (["", ENTITY, HEADER], "Line 2 cannot be imported: the file does not begin with a header"),
        ([HEADER | {"version": 2}, ENTITY], "Line 1 cannot be imported: this LegacyMind reads"),
        ([HEADER | {"version": 0}], "reads format version 1, not 0"),
        ([{"kind": "header", "format": "legacymind"}], "version"),
    ],
)
async def test_a_file_begins_with_a_header_of_a_supported_version(
    mind: Mind, lines: list[Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        await load(mind, *lines, header=False)
    assert await nodes(mind) == 0


async def test_a_header_alone_and_joined_files_are_valid(mind: Mind) -> None:
    assert await load(mind) == Imported()
    assert (await load(mind, ENTITY, HEADER, FACT)).observations == 1


async def test_an_invalid_namespace_is_not_reported_as_a_line(mind: Mind) -> None:
    with pytest.raises(InvalidInput, match=r"^namespace is 513 bytes"):
        await load(mind, ENTITY, namespace="x" * 513)


async def test_an_entity_that_the_import_has_stored_is_not_embedded_again(mind: Mind) -> None:
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    kettle = ENTITY | {"entity_type": "thing", "description": "Boils water."}
    result = await load(mind, kettle, thought(str(uuid.uuid4())), FACT, FACT | {"entity": "stove"})
    assert (result.entities, result.observations, result.known) == (2, 2, 0)
    facts = next(texts for texts in embedder.calls if any("It is hot." in text for text in texts))
    assert [text for text in facts if "It is hot." not in text] == ["stove"]
    described = "MATCH (e:Entity {namespace: $ns}) RETURN collect([e.name, e.embedding_a IS NOT NULL])"
    stored = await one(mind, described, ns=mind.settings.namespace)
    assert sorted(stored) == [["kettle", True], ["stove", True]]


@pytest.mark.slow
async def test_an_import_that_fails_halfway_reports_what_is_stored_and_can_continue(mind: Mind) -> None:
    thoughts = [
        {
            "kind": "thought",
            "id": f"{mind.settings.namespace}-{n}",
            "content": f"kettle {n}",
            "created_at": "2026-01-01T00:00:00Z",
        }
        for n in range(300)
    ]
    lines = [json.dumps(line) for line in (HEADER, {"kind": "entity", "name": "Kettle"}, *thoughts)]
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    embedder.refused = "kettle 290"
    with pytest.raises(EmbeddingError, match="The fake embedder is down") as caught:
        await mind.import_lines(lines)
    assert caught.value.effect == (
        "251 items were stored and remain: 251 were new "
        "(1 entities, 0 observations, 0 relations, 250 thoughts)."
    )
    assert "Import again to continue." in caught.value.hint
    stored = "MATCH (n:Thought|Entity {namespace: $ns}) RETURN count(n)"
    assert await one(mind, stored, ns=mind.settings.namespace) == 251
    embedder.refused = None
    assert await mind.import_lines(lines) == Imported(thoughts=50, known=251)


async def test_a_transcript_becomes_a_chain_with_branches_once_in_each_namespace(mind: Mind) -> None:
    name, (file,) = opened(SAMPLES / "claude-code", None)
    lines = list(file.lines)
    session = "8b7e2c1a-5a0f-4c1e-9a34-0d5f2f7f1f10"
    assert name == "claude-code"
    skipped = {"without text": 2}
    assert await mind.import_lines(lines, format=name) == Imported(thoughts=3, skipped=skipped)
    other = f"{mind.settings.namespace}-other"
    assert await mind.import_lines(lines, format=name, namespace=other) == Imported(
        thoughts=3, skipped=skipped
    )
    assert await mind.import_lines(lines, format=name) == Imported(known=3, skipped=skipped)
    report = await mind.operations["verify_chain"].call({"session_id": session})
    assert (report.broken, report.complete, report.thought_count) == (None, True, 3)
    branched = "MATCH (a:Thought {namespace: $ns})-[:BRANCHES_FROM]->(b) RETURN [a.content, b.content]"
    assert await one(mind, branched, ns=mind.settings.namespace) == [
        "Look at the sensor driver instead.",
        "Why does the pump test fail?",
    ]


async def test_a_folder_is_imported_once(mind: Mind, tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "vault", tmp_path / "vault")
    result = await mind.import_file(tmp_path / "vault")
    assert isinstance(result, Imported)
    assert (result.observations, result.relations, result.refused) == (7, 6, [])
    again = await mind.import_file(tmp_path / "vault")
    assert isinstance(again, Imported)
    assert again.known == 16
    (tmp_path / "vault" / "new.md").write_text("New.", encoding="utf-8")
    (tmp_path / "vault" / "wrong.md").write_bytes(b"\xff")
    result = await mind.import_file(tmp_path / "vault")
    assert isinstance(result, Imported)
    assert (result.entities, result.observations, result.known) == (1, 1, 16)
    assert result.refused == [RefusedLine(line=1, reason="the file is not UTF-8", file="wrong.md")]


async def test_a_folder_is_read_entry_by_entry_and_only_its_own_files(mind: Mind, tmp_path: Path) -> None:
    secret = tmp_path / "id_rsa.md"
    secret.write_text("PRIVATE KEY", encoding="utf-8")
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "a.md").write_text("Kettles rust.", encoding="utf-8")
    (vault / "inner.md").symlink_to("a.md")
    (vault / "key.md").symlink_to(secret)
    (vault / "gone.md").symlink_to("nothing.md")
    (vault / "loop.md").symlink_to("loop.md")
    os.mkfifo(vault / "pipe.md")
    (vault / "out").symlink_to(tmp_path)
    result = await mind.import_file(vault)
    assert isinstance(result, Imported)
    assert result.entities == 2
    reasons = {each.file: each.reason for each in result.refused}
    assert reasons.pop("loop.md").startswith("it cannot be read: ")
    assert reasons == {
        "gone.md": "it cannot be read: No such file or directory",
        "key.md": "it is a link to a file outside the folder",
        "pipe.md": "it is no regular file",
    }


async def test_an_import_that_fails_at_once_reports_that_nothing_is_stored(mind: Mind) -> None:
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    embedder.down = True
    with pytest.raises(EmbeddingError) as caught:
        await mind.import_lines([json.dumps(HEADER), json.dumps({"kind": "entity", "name": "Kettle"})])
    assert caught.value.effect == "Nothing was stored or changed."
    stored = "MATCH (n:Thought|Entity {namespace: $ns}) RETURN count(n)"
    assert await one(mind, stored, ns=mind.settings.namespace) == 0


async def test_skipped_messages_are_counted_and_an_unknown_role_is_a_fault(mind: Mind) -> None:
    chat = [{"role": role, "content": "Hi"} for role in ("system", "user", "developer", "narrator")]
    lines = [json.dumps(chat)]
    found = await mind.import_lines(lines, format="messages", dry_run=True)
    assert (found.thoughts, found.skipped) == (1, {"prompt": 2})
    assert found.refused == [RefusedLine(line=1, reason="message 4: its role 'narrator' is unknown")]


@pytest.mark.parametrize("name", ["memory.jsonl", "tables", "vault", "messages.json"])
async def test_a_dry_run_counts_what_the_import_makes(mind: Mind, name: str) -> None:
    planned = await mind.import_file(SAMPLES / name, dry_run=True)
    assert isinstance(planned, Imported)
    assert planned == await mind.import_file(SAMPLES / name)
    assert planned.entities + planned.thoughts > 0


@pytest.mark.parametrize("name", ["memory.jsonl", "tables", "vault", "messages.json"])
async def test_importing_again_embeds_nothing_except_what_is_new(mind: Mind, name: str) -> None:
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    await mind.import_file(SAMPLES / name)
    assert any(embedder.calls)
    embedder.calls.clear()
    again = await mind.import_file(SAMPLES / name)
    assert isinstance(again, Imported)
    assert (again.entities, again.observations, again.relations, again.thoughts) == (0, 0, 0, 0)
    assert not any(embedder.calls)


async def test_importing_again_embeds_what_changed_or_waits_for_a_vector(mind: Mind) -> None:
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    other = {"kind": "observation", "entity": "stove", "content": "It is hot."}
    await load(mind, ENTITY, FACT, other)
    await raw(
        mind,
        "MATCH (o:Observation {namespace: $ns})-[:ABOUT]->(:Entity {name: 'stove'}) "
        "SET o.embedding_deferred = true REMOVE o.embedding_a",
        ns=mind.settings.namespace,
    )
    embedder.calls.clear()
    await load(mind, ENTITY | {"description": "It boils."}, FACT, other, FACT | {"content": "It is red."})
    (texts,) = (call for call in embedder.calls if call)
    assert [text.split(": ")[-1] for text in texts] == ["kettle - It boils.", "It is hot.", "It is red."]
