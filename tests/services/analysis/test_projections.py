"""A projection in the server's memory never outlives its call, whatever happens in it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from legacymind.db import queries
from legacymind.db.query import Parameters
from legacymind.errors import DatabaseError
from legacymind.mind import Mind
from legacymind.services.analysis import projections
from legacymind.services.analysis.projections import Projections
from tests.steps import store_thought
from tests.wire import Wire, raw

pytestmark = pytest.mark.anyio


async def kept(mind: Mind) -> set[str]:
    """The names of all projections on the server."""
    rows = await raw(mind, "CALL gds.graph.list() YIELD graphName AS name RETURN name")
    return {row["name"] for row in rows}


async def test_every_algorithm_drops_its_projection_also_without_results(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other tests have projections on this server, so only those of this one count.
    names = [f"legacymind-{mind.settings.namespace}-{number}" for number in range(6)]
    monkeypatch.setattr(Projections, "name", staticmethod(iter(names).__next__))
    await mind.analyze()  # nothing to project
    await store_thought(mind, "the only thought")
    result = await mind.analyze()
    assert (result.thoughts, result.neighbours, result.nodes, result.unassigned) == (1, 0, 1, 1)
    with pytest.raises(StopIteration):
        Projections.name()
    assert not await kept(mind) & {*names}


async def test_a_failed_or_cancelled_algorithm_leaves_no_projection(mind: Mind) -> None:
    await store_thought(mind, "the only thought")
    run = Projections(mind.graph).run
    request: Parameters = {
        "graph": Projections.name(),
        "namespace": mind.settings.namespace,
        "now": datetime.now(UTC),
        "weights": {"FOLLOWS": 1.0},
    }
    graph = request["graph"]
    failing = queries.rank_nodes.text.replace("maxIterations: 50", "maxIterations: -1")
    with pytest.raises(DatabaseError, match="maxIterations"):
        await run(graph, mind.graph.run(replace(queries.rank_nodes, text=failing), request))
    assert graph not in await kept(mind)
    task = asyncio.create_task(run(graph, mind.graph.run(queries.rank_nodes, request)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert graph not in await kept(mind)
    # Its name is free, and another run works.
    assert await run(graph, mind.graph.run(queries.rank_nodes, request)) is not None


async def test_progress_is_reported_while_an_algorithm_runs(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store_thought(mind, "the only thought")
    steps: list[tuple[str, int, int]] = []

    def progress(stage: str, done: int, total: int, /) -> None:
        steps.append((stage, done, total))

    monkeypatch.setattr(projections, "_INTERVAL", 0.0)
    with Wire() as wire:
        await mind.services.analysis.run("mass", progress=progress)
    assert any(queries.read_progress.text[3:40] in statement for statement in wire.statements)
    of_algorithm = [done for stage, done, total in steps if (stage, total) == ("Computing mass", 100)]
    assert (of_algorithm[0], of_algorithm[-1]) == (0, 100)
    assert of_algorithm == sorted(of_algorithm)


@pytest.mark.alone  # it drops the projections of all tests that run at the same time
async def test_a_leftover_of_a_killed_run_is_dropped_once_it_is_old(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store_thought(mind, "the only thought")
    name = Projections.name()
    await raw(
        mind,
        "MATCH (n:Thought {namespace: $ns}) RETURN gds.graph.project($name, n, null).graphName AS name",
        ns=mind.settings.namespace,
        name=name,
    )
    await mind.analyze("mass")
    assert name in await kept(mind)  # it may belong to a run of another process
    monkeypatch.setattr(projections, "_LEFT_BEHIND", timedelta(hours=-1))
    await mind.analyze("mass")
    assert name not in await kept(mind)
