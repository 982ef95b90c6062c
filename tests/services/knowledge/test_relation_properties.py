"""Relations take properties of one's own: stored, returned, exported, imported and forgotten with them."""

import json
from pathlib import Path
from typing import Any

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import EntityInput, RelationInput
from tests.wire import raw

pytestmark = pytest.mark.anyio

OWN = {"role": "lead of Grace", "hours": 20, "share": 0.5, "remote": True, "größe": "x <!-- y"}


def works_on(properties: dict[str, Any] | None) -> RelationInput:
    return RelationInput(
        source_entity="Ada", type="WORKS_ON", target_entity="Engine", source="log", properties=properties
    )


async def stored(mind: Mind, namespace: str | None = None) -> list[dict[str, Any]]:
    return [one.properties for one in (await mind.entity(name="Ada", namespace=namespace)).relations]


async def test_properties_are_returned_and_replaced_by_name(mind: Mind) -> None:
    await mind.remember(relations=[works_on(OWN)])
    assert await stored(mind) == [OWN]
    await mind.remember(relations=[works_on({"hours": 8})])
    await mind.remember(relations=[works_on(None)])
    assert await stored(mind) == [{**OWN, "hours": 8}]
    await mind.forget(subject="Engine", confirm=True)  # a relation goes with either entity
    assert await stored(mind) == []


@pytest.mark.parametrize("form", ["csv", "lines"])
async def test_properties_are_exported_and_imported(mind: Mind, form: str, tmp_path: Path) -> None:
    await mind.remember([EntityInput(name="Ada")], relations=[works_on(OWN)])
    other = f"{mind.settings.namespace}-{form}"
    file = tmp_path / f"file.{'csv' if form == 'csv' else 'jsonl'}"
    match form:
        case "csv":
            file.write_text("from,to,type,role\nAda,Engine,WORKS_ON,lead\n", encoding="utf-8")
            await mind.import_file(file, namespace=other)
            assert await stored(mind, other) == [{"role": "lead"}]
            return
        case _:
            line = {"kind": "relation", "from": "Ada", "to": "Engine", "type": "WORKS_ON", "properties": OWN}
            header = {"kind": "header", "format": "legacymind", "version": 1}
            await mind.import_lines([json.dumps(header), json.dumps(line)], namespace=other)
    assert await stored(mind, other) == [OWN]


REFUSED: list[Any] = [None, [], ["a"], {}, " ", 2**63, -(2**63) - 1, float("nan"), float("inf")]


@pytest.mark.parametrize(
    "properties",
    [
        *({name: "x"} for name in ("id", "valid_from", "source", "recorded_at", "merged_from", "merged_x")),
        *({name: "x"} for name in ("namespace", "ns_key", "lock", "embedding_a", "embedding_model")),
        *({name: "x"} for name in ("", " ", "a\nb", "x" * 513)),
        *({"x": value} for value in REFUSED),
        {f"n{number}": 1 for number in range(51)},
    ],
    ids=str,
)
async def test_properties_that_cannot_be_stored_are_refused(mind: Mind, properties: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="properties"):
        await mind.remember(relations=[works_on(properties)])
    assert await raw(mind, "MATCH (n:Entity {namespace: $ns}) RETURN n", ns=mind.settings.namespace) == []


async def test_extreme_numbers_are_stored_as_they_are(mind: Mind) -> None:
    own = {"least": -(2**63), "most": 2**63 - 1, "small": 5e-324}
    await mind.remember(relations=[works_on(own)])
    assert await stored(mind) == [own]
