"""The classes of legacymind.ogm agree with the schema, the documentation and what LegacyMind stores."""

import asyncio
import re
import subprocess
import sys
import uuid
from datetime import datetime
from typing import Any

# pyright: basic, reportMissingImports=false
import pytest

pytest.importorskip("neomodel", reason="run by `python -m tests.clients.frameworks ogm`")
from neomodel import StructuredNode
from neomodel.properties import Property

from legacymind import ogm
from legacymind.db.schema import APPLY_SCHEMA
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import RESERVED
from tests.docs.pages import section
from tests.steps import bare, remember, think
from tests.wire import raw

EVERYTHING: list[Any] = list(vars(ogm).values())
CLASSES: dict[str, Any] = {
    str(found.__label__): found  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    for found in EVERYTHING
    if isinstance(found, type) and issubclass(found, StructuredNode) and hasattr(found, "__label__")
}
ADMINISTRATION = {"AccessToken", "Quota", "LegacyMind"}
"""Labels of nodes that are no memories, and have no class."""

LOCK = "lock"
"""The property that statements set to take a lock. Nothing reads it."""


def properties(model: Any) -> dict[str, Property[Any]]:
    """The properties of a class by their names in the database."""
    defined = model.defined_properties(aliases=False, rels=False)
    return {prop.get_db_property_name(name): prop for name, prop in defined.items()}


def relationships() -> set[tuple[str, str, str]]:
    """Start label, type and end label of every relationship of the classes."""
    found: set[tuple[str, str, str]] = set()
    for label, model in CLASSES.items():
        for relation in model.defined_properties(aliases=False, properties=False).values():
            relation.lookup_node_class()
            other = relation.definition["node_class"].__label__
            outgoing = relation.definition["direction"] == 1
            pair = (label, other) if outgoing else (other, label)
            found.add((pair[0], relation.definition["relation_type"], pair[1]))
    return found


def documented_properties() -> dict[str, set[str]]:
    lists = section("graph", "Properties")
    rows = re.findall(r"^\| (?:for finding a )?(`[A-Z]\w+`[^|]*) \| (.*) \|$", lists, re.MULTILINE)
    tables = re.findall(r"^### (\w+)\n(.*?)(?=^###|^<!--)", lists, re.MULTILINE | re.DOTALL)
    found = {
        label: set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^- (`[^(]*?)(?: \(|, as of)", table, re.M))))
        for label, table in tables
    }
    for labels, text in rows:
        names = set(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", text)))
        for label in re.findall(r"`(\w+)`", labels):
            found[label] = found.get(label, set()) | names
    return found


def test_there_is_a_class_for_every_label_of_memories_with_its_documented_properties() -> None:
    labels = set(re.findall(r"^\| `(\w+)` \| `", section("graph", "Labels"), re.MULTILINE))
    assert set(CLASSES) == labels - ADMINISTRATION
    documented = documented_properties()
    assert {label: set(properties(model)) for label, model in CLASSES.items()} == {
        label: documented[label] for label in CLASSES
    }


def test_the_indexes_of_the_classes_are_those_of_the_schema() -> None:
    schema = "\n".join(query.text for query in APPLY_SCHEMA)
    unique = set(re.findall(r"CONSTRAINT .* FOR \(\w:(\w+)\) REQUIRE \w\.(\w+) IS UNIQUE", schema))
    single = set(re.findall(r"RANGE INDEX .* FOR \(\w:(\w+)\) ON \(\w\.(\w+)\)", schema))
    of_classes = [
        (label, name, prop) for label, model in CLASSES.items() for name, prop in properties(model).items()
    ]
    own = {each for each in unique if each[0] not in ADMINISTRATION}
    assert {(label, name) for label, name, prop in of_classes if prop.unique_index} == own
    assert {(label, name) for label, name, prop in of_classes if prop.index} == single


def test_every_relationship_type_has_an_attribute() -> None:
    assert {type for _, type, _ in relationships()} == RESERVED


@pytest.mark.anyio
async def test_the_classes_have_every_stored_property_and_relationship(mind: Mind) -> None:
    known = await remember(
        mind,
        entities=[{"name": "Ada", "entity_type": "person", "description": "An engineer", "data": {"a": 1}}],
        observations=[{"entity": "Ada", "content": "Ada lives in Lyon", "source": "letter"}],
        relations=[{"source_entity": "Ada", "type": "WORKS_ON", "target_entity": "Engine"}],
    )
    first = await think(mind, "TimeoutError: Ada is in Lyon", hypothesis="Ada lives in Lyon", tags="a")
    second = await think(
        mind, "Ada moved to Lyon", action_id="act", revises_thought=bare(first), parent_id="later"
    )
    await mind.record_outcome(bare(second), "success", solves=bare(first))
    await mind.relate_thought(bare(first), known.entities[0].id, "REFERENCES", note="why")
    await mind.redact_thought(bare(first), "asked for")
    rows = await raw(
        mind,
        "MATCH (n {namespace: $n}) RETURN labels(n)[0] AS label, keys(n) AS keys",
        n=mind.settings.namespace,
    )
    for row in rows:
        assert set(row["keys"]) - {LOCK} <= set(properties(CLASSES[row["label"]])), row["label"]
    links = await raw(
        mind,
        "MATCH (a {namespace: $n})-[r]->(b) RETURN labels(a)[0] AS start, type(r) AS type, "
        "labels(b)[0] AS end, keys(r) AS keys",
        n=mind.settings.namespace,
    )
    stored = {(row["start"], row["type"], row["end"]) for row in links}
    assert len(stored) > 8
    assert stored - relationships() == {("Entity", "WORKS_ON", "Entity")}
    models: dict[str, Any] = {
        relation.definition["relation_type"]: relation.definition["model"]
        for model in CLASSES.values()
        for relation in model.defined_properties(aliases=False, properties=False).values()
    } | {"WORKS_ON": ogm.Related}
    for row in links:
        model = models[row["type"]]
        assert set(row["keys"]) <= set(properties(model) if model else ()), row["type"]


def test_steps_of_a_chain_are_not_saved_and_times_need_a_zone() -> None:
    step: Any = ogm.Thought(uid="one", content="text", session_id="s")
    with pytest.raises(InvalidInput, match="step of its hash chain"):
        step.save()
    with pytest.raises(InvalidInput, match="step of its hash chain"):
        step.delete()
    entity: Any = ogm.Entity(name="Ada", valid_from=datetime(2020, 1, 1))
    with pytest.raises(InvalidInput, match="valid_from has no time zone"):
        entity.save()
    with pytest.raises(InvalidInput, match="reserved"):
        ogm.Entity(name="Ada").relation("RECALLS")


@pytest.mark.alone  # it adopts nodes of all namespaces
@pytest.mark.usefixtures("others_hidden")
@pytest.mark.slow
def test_the_examples_run(real_env: dict[str, str]) -> None:
    examples = re.findall(r"```python\n(.*?)```", section("notebooks", "Classes"), re.DOTALL)
    env = real_env | {"LEGACYMIND_NAMESPACE": f"ogm-{uuid.uuid4()}", "LEGACYMIND_ADOPT_INTERVAL": "10"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(examples)],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Ada ['Ada lives in Lyon.']" in done.stdout
    assert "works on Engine since" in done.stdout


@pytest.mark.alone  # it adopts nodes of all namespaces
@pytest.mark.usefixtures("others_hidden")
@pytest.mark.anyio
async def test_what_a_script_saves_can_be_found_at_the_end_of_its_connection(mind: Mind) -> None:
    def save() -> None:
        with ogm.connected(mind.settings.changed(adopt_interval=10)):
            bridge: Any = ogm.Entity(name="Old bridge")
            fact: Any = ogm.Observation(content="It is closed in winter.")
            fact.save().entity.connect(bridge.save())

    await asyncio.to_thread(save)
    hits = (await mind.search("when is the bridge closed?", kinds=["observation"])).hits
    assert [(hit.text, hit.entity) for hit in hits] == [("It is closed in winter.", "Old bridge")]


@pytest.mark.alone  # it adopts nodes of all namespaces
@pytest.mark.usefixtures("others_hidden")
@pytest.mark.slow
def test_a_stored_name_is_warned_of_and_another_text_of_a_stored_node_is_refused(
    real_env: dict[str, str],
) -> None:
    script = """
import warnings
from legacymind import ogm
from legacymind.errors import InvalidInput

with ogm.connected():
    ada = ogm.Entity(name="Ada", entity_type="person").save()
    fact = ogm.Observation(content="Ada lives in Lyon.").save()
    fact.entity.connect(ada)
with ogm.connected(), warnings.catch_warnings(record=True):
    ada = ogm.Entity.nodes.get(uid=ada.uid)
    fact = ogm.Observation.nodes.get(uid=fact.uid)
    ada.description = "an engineer"
    ada.save()
    for node, name, text in ((ada, "name", "Grace"), (ada, "entity_type", "ship"), (fact, "content", "No.")):
        before = getattr(node, name)
        setattr(node, name, text)
        try:
            node.save()
        except InvalidInput as error:
            print("refused", name, error)
        setattr(node, name, before)
        node.save()
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    with ogm.connected():
        ogm.Entity(name="ADA", entity_type="Person").save()
    print(*(one.message for one in said if one.filename == "<string>"))
"""
    env = real_env | {"LEGACYMIND_NAMESPACE": f"ogm-{uuid.uuid4()}", "LEGACYMIND_ADOPT_INTERVAL": "10"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    refused = re.findall(r"^refused (\w+) .*Nothing was saved", done.stdout, re.MULTILINE)
    assert refused == ["name", "entity_type", "content"]
    assert re.search(r"The entity \S+ is saved, but not used: .*stored", done.stdout), done.stdout
