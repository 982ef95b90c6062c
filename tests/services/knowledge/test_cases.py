"""Small files on which memory tools failed in public, imported with the right values."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from legacymind.mind import Mind
from legacymind.services.knowledge.importing import Imported
from tests.wire import one, raw

pytestmark = pytest.mark.anyio

CASES = Path(__file__).with_name("cases")


@pytest.mark.parametrize(
    ("file", "entities", "facts", "relations", "thoughts", "skipped"),
    [
        ("bom-chatgpt.json", 0, 0, 0, 2, {"without text": 2}),
        ("bom-memory.jsonl", 2, 2, 0, 0, {}),
        ("bom-openai.json", 0, 0, 0, 2, {}),
        ("chatgpt-no-content-type.json", 0, 0, 0, 2, {}),
        ("gemini-parts.json", 0, 0, 0, 2, {}),
        ("langchain.json", 0, 0, 0, 2, {}),
        ("memory-array.json", 1, 1, 1, 0, {}),
        ("relation-types.jsonl", 2, 0, 12, 0, {}),
        ("roles-human-ai.json", 0, 0, 0, 2, {}),
        ("roles-model-bot.json", 0, 0, 0, 3, {"prompt": 1}),
        ("utf16-memory.jsonl", 1, 1, 0, 0, {}),
    ],
)
async def test_nothing_of_a_file_is_lost_in_silence(
    mind: Mind, file: str, entities: int, facts: int, relations: int, thoughts: int, skipped: dict[str, int]
) -> None:
    found = await mind.import_file(CASES / file)
    assert isinstance(found, Imported)
    assert (found.entities, found.observations, found.relations, found.thoughts) == (
        entities,
        facts,
        relations,
        thoughts,
    )
    assert (found.skipped, found.refused, found.warnings) == (skipped, [], [])


@pytest.mark.parametrize("file", ["year.csv", "year.jsonl"])
async def test_a_year_is_no_second_of_1970(mind: Mind, file: str) -> None:
    await mind.import_file(CASES / file)
    facts = await raw(
        mind,
        "MATCH (o:Observation {namespace: $ns}) RETURN o.valid_from AS since ORDER BY since",
        ns=mind.settings.namespace,
    )
    assert {row["since"].year for row in facts} <= {2019, 2021}
    if file == "year.jsonl":
        when = await one(
            mind, "MATCH (t:Thought {namespace: $ns}) RETURN t.created_at", ns=mind.settings.namespace
        )
        assert when == datetime(2019, 1, 1, tzinfo=UTC)
