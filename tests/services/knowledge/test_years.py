"""Years and dates as they are written in files, stored through every door."""

import json
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from legacymind.doors.graphql.schema import build_schema
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import EntityInput
from legacymind.services.knowledge.importing import Imported
from tests.wire import raw

pytestmark = pytest.mark.anyio

CSV = """entity,content,valid_from,valid_to
Z,Anna worked at Acme,2019,2021
Z,Anna lives in Graz,20190101,
"""
LINES = [
    {"kind": "header", "format": "legacymind", "version": 1},
    {"kind": "observation", "entity": "Y", "content": "since 2019", "valid_from": "2019"},
    {"kind": "observation", "entity": "Y", "content": "compact", "valid_from": "20190101"},
    {"kind": "thought", "id": uuid.uuid4().hex, "content": "thought of 2019", "created_at": "2019"},
]
START = datetime(2019, 1, 1, tzinfo=UTC)


async def years(mind: Mind) -> dict[str, tuple[datetime, datetime]]:
    rows = await raw(
        mind,
        "MATCH (o:Observation {namespace: $ns}) RETURN o.content AS content, o.valid_from AS start, "
        "o.valid_to AS end",
        ns=mind.settings.namespace,
    )
    return {row["content"]: (row["start"], row["end"]) for row in rows}


async def test_files_with_years_are_imported_with_these_years(mind: Mind, tmp_path: Path) -> None:
    table, lines = tmp_path / "year.csv", tmp_path / "year.jsonl"
    table.write_text(CSV, encoding="utf-8")
    lines.write_text("\n".join(json.dumps(line) for line in LINES), encoding="utf-8")
    for file in (table, lines):
        result = await mind.import_file(file)
        assert isinstance(result, Imported)
        assert not result.refused
    found = await years(mind)
    assert found["Anna worked at Acme"] == (START, datetime(2021, 1, 1, tzinfo=UTC))
    assert {found[name][0] for name in found} == {START}
    (thought,) = await raw(
        mind, "MATCH (t:Thought {namespace: $ns}) RETURN t.created_at AS time", ns=mind.settings.namespace
    )
    assert thought["time"] == START


@pytest.mark.parametrize("sent", ["2019", 2019, "20190101", 20190101, "2019-01-01", "2019-01", 1546300800])
async def test_operations_and_graphql_read_the_same_times(mind: Mind, sent: Any) -> None:
    fact = {"entity": "Anna", "content": "in Python", "validFrom": sent, "validTo": "2030"}
    await mind.operations["remember"].call({"observations": [fact]})
    variables = {"facts": [{**fact, "content": "in GraphQL"}]}
    answer = await build_schema(mind).execute(
        "mutation($facts: [ObservationInput!]) {remember(observations: $facts) {created}}", variables
    )
    ends = datetime(2030, 1, 1, tzinfo=UTC)
    expected = {"in Python": (START, ends), "in GraphQL": (START, ends)}
    if not isinstance(sent, str):  # types are strict in GraphQL, where a time is text
        assert answer.errors
        del expected["in GraphQL"]
    assert await years(mind) == expected


@pytest.mark.parametrize(
    ("times", "why"),
    [
        ({"valid_from": "9999-12-31"}, "stands for no end"),
        ({"valid_to": "2019"}, "without valid_from"),
        ({"valid_from": "2021", "valid_to": "2019"}, "not later than valid_from"),
        ({"valid_from": 31}, "must be a time in ISO 8601"),
    ],
)
async def test_an_interval_is_refused_for_its_own_reason(mind: Mind, times: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        await mind.operations["remember"].call({"observations": [{"entity": "A", "content": "x", **times}]})


async def test_an_entity_never_begins_at_the_end_of_time(mind: Mind) -> None:
    with pytest.raises(InvalidInput, match="stands for no end"):
        await mind.remember([EntityInput(name="A", valid_from=datetime(9999, 12, 31, tzinfo=UTC))])


async def test_reads_take_years_too(mind: Mind) -> None:
    await mind.think("an old thought", created_at=datetime(1994, 5, 1, tzinfo=UTC))
    await mind.think("a newer thought", created_at=datetime(1996, 5, 1, tzinfo=UTC))
    for filters in ({"as_of": "1995"}, {"as_of": 1995}, {"date_to": "1994"}, {"date_to": "1994-05"}):
        found = await mind.operations["search"].call(filters)
        assert [hit.text for hit in found.hits] == ["an old thought"]
