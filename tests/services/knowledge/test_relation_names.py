"""Relation types of any script are stored alike by remember and by imports."""

import json
from pathlib import Path

import pytest

from legacymind.mind import Mind
from tests.wire import raw

pytestmark = pytest.mark.anyio

# Types belong to the database and are never freed, so these are always the same.
NAMES = [
    "gehört zu", "größer als", "has:part", "1st choice", "x`y", "naïve_of", "est employé à", "depends on",
    "FOLLOWS", "part-of/of", "works at 🚀", "связан с", "属于", "x`]->() DETACH DELETE a //",
]  # fmt: skip


async def types(mind: Mind, source: str) -> set[str]:
    rows = await raw(
        mind,
        "MATCH (:Entity {namespace: $ns, name: $source})-[r]->(:Entity) RETURN type(r) AS type",
        ns=mind.settings.namespace,
        source=source,
    )
    return {row["type"] for row in rows}


async def test_remember_and_import_store_the_same_types(mind: Mind, tmp_path: Path) -> None:
    links = [{"source_entity": "A", "type": name, "target_entity": "B"} for name in NAMES]
    await mind.operations["remember"].call({"relations": links})
    lines: list[dict[str, object]] = [{"type": "entity", "name": "C", "entityType": "", "observations": []}]
    lines.extend({"type": "relation", "from": "C", "to": "D", "relationType": name} for name in NAMES)
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    await mind.import_file(file)
    stored = await types(mind, "A")
    assert len(stored) == len(NAMES)
    assert {"GEHÖRT_ZU", "属于", "HAS:PART", "1ST_CHOICE", "ENTITY_DEPENDS_ON", "ENTITY_FOLLOWS"} <= stored
    assert await types(mind, "C") == stored
