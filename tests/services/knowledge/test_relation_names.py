"""Relation types of any script are stored alike by remember and by imports."""

import json
from pathlib import Path

import pytest

from legacymind.mind import Mind
from tests.wire import raw

pytestmark = pytest.mark.anyio

# Types belong to the database and are never freed, so these are always the same.
NAMES = {
    "gehört zu": "GEHÖRT_ZU", "größer als": "GRÖSSER_ALS", "has:part": "HAS:PART", "1st choice": "1ST_CHOICE",
    "x`y": "X`Y", "nai\u0308ve_of": "NAÏVE_OF", "est employé à": "EST_EMPLOYÉ_À", "FOLLOWS": "ENTITY_FOLLOWS",
    "depends on": "ENTITY_DEPENDS_ON", "part-of/of": "PART_OF/OF", "works at 🚀": "WORKS_AT_🚀",
    "属于": "属于", "связан с": "СВЯЗАН_С", "works at (since 2020)": "WORKS_AT_(SINCE_2020)",
    "x`]->() DETACH DELETE a //": "X`]_>()_DETACH_DELETE_A_//",
}  # fmt: skip


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
    assert await types(mind, "A") == {*NAMES.values()}
    assert await types(mind, "C") == {*NAMES.values()}
