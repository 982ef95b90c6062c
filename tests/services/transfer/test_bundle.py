"""Knowledge as a bundle in the Open Knowledge Format: it conforms, and an import reads it as it was."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from legacymind.errors import Conflict
from legacymind.mind import Mind
from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.services.knowledge.importing import Imported

pytestmark = pytest.mark.anyio


async def filled(mind: Mind) -> None:
    def fact(entity: str, content: str, **more: Any) -> ObservationInput:
        return ObservationInput(entity=entity, content=content, **more)

    day = datetime(2024, 2, 3, tzinfo=UTC)
    await mind.remember(
        [
            EntityInput(name="Ada [L.]", entity_type="person", description="An: engineer", data={"n": 7}),
            EntityInput(name="ada-l", entity_type="Person"),
            EntityInput(name="Index"),
            EntityInput(name="Pump/3", entity_type="machine"),
        ],
        [
            fact("Ada [L.]", "Ada reads Euler.", source="mail: 7", valid_from=day),
            fact("Ada [L.]", "Two lines:\n- and a list\n\n    code"),
            fact("Ada [L.]", "Ada lived in Lyon.", valid_from=datetime(2019, 1, 1, tzinfo=UTC), valid_to=day),
            fact("Index", "Standing: see [the page](https://example.org/a.md)"),
        ],
        [
            RelationInput(source_entity="Ada [L.]", type="RUNS", target_entity="Pump/3", source="log"),
            RelationInput(source_entity="Pump/3", type="NEXT_TO", target_entity="Index"),
        ],
    )


async def known(mind: Mind, namespace: str | None) -> dict[str, Any]:
    """What is true now of each entity."""
    found: dict[str, Any] = {}
    for node in (await mind.list_entities(namespace=namespace)).entities:
        one = await mind.entity(node.name, entity_type=node.entity_type, namespace=namespace)
        found[f"{node.name} ({node.entity_type})"] = (
            one.entity.description,
            one.entity.data.get("n") if one.entity.data else None,
            sorted((fact.content, f"{fact.valid_from:%F}") for fact in one.observations),
            sorted((edge.type, edge.direction, edge.other.name) for edge in one.relations),
        )
    return found


def head(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8").split("---\n")[1])


async def test_a_bundle_conforms_and_is_imported_as_it_was(mind: Mind, tmp_path: Path) -> None:
    await filled(mind)
    folder = tmp_path / "bundle"
    assert await mind.export_bundle(folder) == 4
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.md"))
    assert files == [
        "index.md", "machine/pump-3.md", "person/ada-l-2.md", "person/ada-l.md", "thing/index-2.md",
    ]  # fmt: skip
    assert head(folder / "index.md") == {"okf_version": "0.2"}
    assert all(head(folder / name)["type"] for name in files[1:])
    ada = next(file for file in folder.glob("person/*") if "Euler" in file.read_text(encoding="utf-8"))
    assert [source["resource"] for source in head(ada)["sources"]] == ["mail: 7", "log"]
    assert "Lyon" not in ada.read_text(encoding="utf-8")
    other = f"{mind.settings.namespace}-copy"
    imported = await mind.import_file(folder, namespace=other)
    assert isinstance(imported, Imported)
    assert (imported.entities, imported.observations, imported.relations) == (4, 3, 2)
    assert await known(mind, other) == await known(mind, None)
    copy = await mind.entity("Ada [L.]", namespace=other)
    assert {fact.source for fact in copy.observations} == {"mail: 7", ada.relative_to(folder).as_posix()}
    with pytest.raises(Conflict, match="has files"):
        await mind.export_bundle(folder)


async def test_a_bundle_of_another_tool_is_read(mind: Mind, tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text(
        '---\nokf_version: "0.1"\n---\n# Tables\n* [Orders](tables/orders.md)\n'
    )
    (tmp_path / "log.md").write_text("# Log\n\n## 2026-01-01\n* **Creation**: all.\n")
    (tmp_path / "tables").mkdir()
    for name, text in {
        "orders": "---\ntype: Table\nsources:\n  - id: x\n    resource: https://a.example/s\n---\n"
        "# Joins\n\nJoined with [customers](/tables/customers.md).[^x]\n\n[^x]: The schema\n",
        "customers": "---\ntype: Table\ntitle: Customers\n---\n",
    }.items():
        (tmp_path / "tables" / f"{name}.md").write_text(text)
    await mind.import_file(tmp_path)
    orders = await mind.entity("orders")
    (fact,) = orders.observations
    assert fact.content == "Joins: Joined with [customers](/tables/customers.md)."
    assert fact.source == "https://a.example/s"
    assert [(edge.type, edge.other.name) for edge in orders.relations] == [("LINKS_TO", "Customers")]
    assert len((await mind.list_entities()).entities) == 2
