"""Mass and communities on a real server: stored results, namespaces, privacy."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.errors import NotFound
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import own_namespace, progressing, remember, store_thought
from tests.wire import raw

pytestmark = pytest.mark.anyio

TANKS = [f"oxygen tank {number} burst in the service module" for number in range(4)]
BREAD = [f"bread number {number} burned in the kitchen oven" for number in range(3)]
SECRET = "xylophone"


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module: two topics, each linked within itself, and a private thought."""
    async with own_namespace(engine_settings) as opened:
        for name, texts in (("Tank", TANKS), ("Oven", BREAD)):
            await remember(opened, entities=[{"name": name}])
            (entity,) = (await opened.operations["search"].call({"query": name, "kinds": ["entity"]})).hits[
                :1
            ]
            first = await store_thought(opened, texts[0], session_id=name)
            for text in texts[1:]:
                later = await store_thought(opened, text, session_id=name)
                await opened.relate_thought(later, first, type="REFERENCES")
                await opened.relate_thought(later, entity.id, type="ASSOCIATES")
        hidden = await store_thought(opened, f"{SECRET} {SECRET}", session_id="Oven", is_private=True)
        await opened.relate_thought(hidden, first, type="REFERENCES", own_session_id="Oven")
        yield opened


async def stored(mind: Mind) -> dict[str, dict[str, Any]]:
    """The results on each node of the namespace, by its text or name."""
    rows = await raw(
        mind,
        "MATCH (n:Thought|Entity {namespace: $ns}) "
        "RETURN coalesce(n.name, n.content) AS text, n.mass AS mass, n.community AS community",
        ns=mind.settings.namespace,
    )
    return {row["text"]: row for row in rows}


async def test_mass_is_highest_where_references_lead_and_communities_have_names(mind: Mind) -> None:
    steps: list[tuple[str, int, int]] = []

    def progress(stage: str, done: int, total: int, /) -> None:
        steps.append((stage, done, total))

    for what in ("mass", "communities"):
        result = await progressing(mind.analyze(what), progress)
    assert (result.nodes, result.communities, result.unassigned) == (9, 2, 0)
    assert result.relationships == 3 + 3 + 2 + 2 + 5  # references, associations, and steps of a session
    assert result.neighbours is None
    assert ("Storing mass", 9, 9) in steps
    assert steps[-1] == ("Storing communities", 9, 9)
    nodes = await stored(mind)
    # PageRank of a node that nothing leads to, and of one with the halves of three others.
    assert nodes[TANKS[1]]["mass"] == 0.15
    assert (
        nodes[TANKS[0]]["mass"]
        == nodes["Tank"]["mass"]
        == pytest.approx(0.15 + 0.85 * 3 * 0.15 / 2, abs=1e-3)
    )
    assert {nodes[text]["community"] for text in [*TANKS, "Tank"]} == {1}
    assert {nodes[text]["community"] for text in [*BREAD, "Oven"]} == {2}
    hidden = nodes[f"{SECRET} {SECRET}"]
    assert (hidden["mass"], hidden["community"]) == (None, None)


async def test_communities_are_read_with_members_by_mass_and_page_by_page(mind: Mind) -> None:
    await mind.analyze("communities")
    found = await mind.communities()
    assert [(one.number, one.size, one.thoughts, one.entities) for one in found.communities] == [
        (1, 5, 4, 1),
        (2, 4, 3, 1),
    ]
    assert {member.text for member in found.communities[0].members[:2]} == {TANKS[0], "Tank"}
    assert found.communities[0].label.startswith("Tank")
    assert "bread" in found.communities[1].label
    assert SECRET not in str(found)
    first = await mind.communities(1, limit=2)
    rest = await mind.communities(1, limit=3, after=first.next)
    listed = [member.text for page in (first, rest) for member in page.members]
    assert sorted(listed) == sorted([*TANKS, "Tank"])
    assert (len(first.members), rest.next) == (2, None)
    with pytest.raises(NotFound, match="no community 3"):
        await mind.communities(3)


async def test_new_thoughts_are_unassigned_until_the_next_analysis_which_changes_no_chain(mind: Mind) -> None:
    await mind.analyze(what="communities")
    await store_thought(mind, "no tank is left", session_id="Tank")
    assert (await mind.communities()).unassigned == 1
    assert (await mind.analyze(what="communities")).unassigned == 0
    report = await mind.verify("Tank")
    assert report.valid
    assert report.complete


async def test_a_namespace_without_nodes_has_no_results(mind: Mind) -> None:
    empty = f"{mind.settings.namespace}-empty"
    result = await mind.analyze(namespace=empty)
    assert (result.nodes, result.relationships, result.communities, result.unassigned) == (0, 0, 0, 0)
    assert (result.thoughts, result.neighbours, result.dropped) == (0, 0, 0)
    assert (await mind.communities(namespace=empty)).communities == []


async def test_communities_of_two_namespaces_are_kept_apart(mind: Mind, settings: Settings) -> None:
    async with Mind(settings, embedder=FakeEmbedder()) as other:
        first, *later = [await store_thought(other, text, session_id="theirs") for text in TANKS]
        for thought_id in later:
            await other.relate_thought(thought_id, first)
        before = await stored(mind)
        await other.analyze()
        (one,) = (await other.communities()).communities
        assert one.size == len(TANKS)
        assert await stored(mind) == before
