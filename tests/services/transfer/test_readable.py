"""Exports for people: notes that are imported again with every entity, fact and relation, and plain JSON."""

import json
import re
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind.errors import Conflict
from legacymind.mind import Mind
from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.services.knowledge.importing import Imported
from legacymind.services.shared import notes
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio

YEAR = datetime(2019, 1, 1, tzinfo=UTC)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(str.strip)
ODD_TEXTS = TEXTS | st.sampled_from(
    [
        "# Facts",
        "## Facts",
        "- a\n- b",
        "a\n\n\nb",
        "```\nx",
        "x [[y]]",
        "<!-- {} -->",
        'a <!-- {"b": 1} -->',
        "  a",
    ]
)
ABOUT = st.dictionaries(st.sampled_from(["source", "valid_from"]), TEXTS | st.just("--> <!-- {"))


@given(st.lists(st.tuples(ODD_TEXTS, ABOUT)), st.lists(st.tuples(ODD_TEXTS, ABOUT)))
def test_items_are_read_as_they_were_written(facts: list[Any], relations: list[Any]) -> None:
    note = f"# Title\n\n{notes.FACTS}\n\n" + "".join(notes.item(*one) for one in facts)
    note += f"\n{notes.RELATIONS}\n\n" + "".join(notes.item(*one) for one in relations)
    found = [(heading, item.text, item.about) for heading, item in notes.items(note.split("\n"))]
    assert found == [(notes.FACTS, text.strip(), about) for text, about in facts] + [
        (notes.RELATIONS, text.strip(), about) for text, about in relations
    ]


@given(st.lists(st.text(), max_size=5))
def test_names_of_files_are_safe_and_each_is_used_once(names: list[str]) -> None:
    files = notes.FileNames()
    found = [
        files.add(name, "type") for name in [*names, *names, "CON", "nul.txt", "..", "a/b", "A\\b", ".x"]
    ]
    assert len({name.casefold() for name in found}) == len(found)
    for name in found:
        assert re.fullmatch(r'[^\x00-\x1f<>:"/\\|?*#^\[\]]+', name)
        assert not name.startswith(".")
        assert not name.endswith((".", " "))
        assert name.split(".")[0].casefold() not in {"con", "nul"}
        assert len(name.encode()) < 255


@pytest.fixture
async def mind(settings: Settings) -> AsyncIterator[Mind]:
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened


async def filled(mind: Mind) -> None:
    names = ["Ada", "ADA/x", "Ada:x", "con", "Ünïcode ✓", "[[odd]] | name", "2019", "a" * 300]
    await mind.remember(
        entities=[
            *(
                EntityInput(name=name, entity_type="person", description=f"About {name}:\n---")
                for name in names
            ),
            EntityInput(name="Ada", entity_type="language", data={"year": "1980", "list": [1, {"a": None}]}),
            EntityInput(name="Bare"),
        ],
        observations=[
            ObservationInput(entity="Bare", content="Knows [[Ada]].\n\n# Not a heading\n- nor an item"),
            ObservationInput(entity="2019", content="A year.", source="log <!--", valid_from=YEAR),
            ObservationInput(entity="2019", content="Open.", valid_from=YEAR, valid_to=YEAR.replace(2020)),
            ObservationInput(entity="Ada", entity_type="person", content="Knows Ada the language."),
        ],
        relations=[
            RelationInput(source_entity="Ada", source_type="person", type="gehört zu", target_entity="Bare"),
            RelationInput(source_entity="Bare", type="KNOWS", target_entity="Bare", source="x"),
            RelationInput(
                source_entity="Bare",
                type="USES",
                target_entity="Ada",
                target_type="language",
                valid_from=YEAR,
            ),
            *(RelationInput(source_entity="Bare", type="NAMES", target_entity=name) for name in names[1:]),
        ],
    )


def knowledge(document: dict[str, Any]) -> list[Any]:
    """The entities, facts and relations of a document, without ids."""
    return [
        sorted(
            json.dumps({key: value for key, value in record.items() if not key.endswith("id")})
            for record in document[name]
        )
        for name in ("entities", "facts", "links")
    ]


async def document(mind: Mind) -> dict[str, Any]:
    return json.loads("".join([piece async for piece in mind.export_json()]))


async def test_notes_are_imported_again_with_every_entity_fact_and_relation(
    mind: Mind, settings: Settings, tmp_path: Path
) -> None:
    await filled(mind)
    await mind.think("Ada asks about Bare.\n\n## A heading")
    await mind.think("A thought elsewhere.", session_id="other/x")
    before = await document(mind)
    assert [len(before[name]) for name in ("entities", "facts", "thoughts", "links")] == [10, 4, 2, 10]
    assert {record["entity"] for record in before["mentions"]} >= {"Bare"}
    assert await mind.export_markdown(tmp_path / "notes") == 12
    session = (tmp_path / "notes/sessions/session.md").read_text(encoding="utf-8")
    assert "Ada asks about Bare." in session
    assert "- [[entities/Bare|Bare]]" in session
    note = (tmp_path / "notes/entities/2019.md").read_text(encoding="utf-8")
    assert (
        '- A year. <!-- {"valid_from": "2019-01-01T00:00:00.000000Z", "source": "log \\u003c!--"} -->' in note
    )
    own = replace(settings, namespace=f"test-{uuid.uuid4()}")
    async with Mind(own, session_id="session", embedder=FakeEmbedder()) as other:
        imported = await other.import_file(tmp_path / "notes", strict=True)
        assert isinstance(imported, Imported)
        assert imported.skipped == {"session of an export": 2}
        after = await document(other)
        assert knowledge(after) == knowledge(before)
        again = await other.import_file(tmp_path / "notes")
        assert isinstance(again, Imported)
        assert (again.entities, again.observations, again.relations, again.refused) == (0, 0, 0, [])


async def test_an_export_of_notes_leaves_other_files_alone(mind: Mind, tmp_path: Path) -> None:
    (tmp_path / "own.md").write_text("Mine.", encoding="utf-8")
    with pytest.raises(Conflict, match="is not empty"):
        await mind.export_markdown(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["own.md"]  # noqa: ASYNC240


async def test_an_empty_namespace_is_a_document_with_empty_lists(mind: Mind) -> None:
    found = await document(mind)
    assert [found[name] for name in ("entities", "facts", "thoughts", "mentions", "links")] == [[]] * 5
