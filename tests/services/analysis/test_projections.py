"""A projection in the server's memory never outlives its call, whatever happens in it."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from graphdatascience import GraphDataScience

from legacymind.db.query import Parameters
from legacymind.errors import ConfigurationError, DatabaseError
from legacymind.mind import Mind
from legacymind.services.analysis import projections
from legacymind.services.analysis.analysis import PROJECT_GRAPH
from legacymind.services.analysis.projections import READ_PROGRESS, Projections
from tests.steps import store_thought
from tests.wire import Wire, raw

if TYPE_CHECKING:
    from legacymind.services.analysis.projections import Projected

pytestmark = pytest.mark.anyio


async def kept(mind: Mind) -> set[str]:
    """The names of all projections on the server."""
    rows = await raw(mind, "CALL gds.graph.list() YIELD graphName AS name RETURN name")
    return {row["name"] for row in rows}


async def sent(mind: Mind) -> list[str]:
    """The statements that run on the server."""
    rows = await raw(mind, "SHOW TRANSACTIONS YIELD currentQuery")
    return [row["currentQuery"] for row in rows]


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


async def test_a_failed_or_cancelled_algorithm_leaves_nothing_on_the_server(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store_thought(mind, "the only thought")
    name = Projections.name()
    monkeypatch.setattr(Projections, "name", staticmethod(lambda: name))
    endless = f"UNWIND range(1, 100000000000) AS n RETURN count(n), '{name}'"

    async def run(algorithm: "Callable[[GraphDataScience, Projected], object]") -> None:
        request: Parameters = {
            "namespace": mind.settings.namespace,
            "now": datetime.now(UTC),
            "weights": {},
            "undirected": [],
        }
        async with Projections(mind.graph).run(PROJECT_GRAPH, request, algorithm) as projected:
            assert projected
            assert projected.result.node_count == 1

    with pytest.raises(DatabaseError, match="maxIterations"):
        await run(lambda gds, projected: gds.page_rank.mutate(projected.graph, "mass", max_iterations=-1))
    assert name not in await kept(mind)
    running = asyncio.create_task(run(lambda gds, _: gds.run_cypher(endless)))
    while endless not in await sent(mind):  # noqa: ASYNC110  # nobody tells
        await asyncio.sleep(0.05)
    assert name in await kept(mind)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert name not in await kept(mind)
    while endless in await sent(mind):  # noqa: ASYNC110  # the server ends it at its next step
        await asyncio.sleep(0.05)
    # Its name is free, and another run works.
    await run(lambda gds, projected: gds.page_rank.mutate(projected.graph, "mass"))


async def test_without_its_package_the_analysis_says_what_to_install_and_stores_nothing(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "legacymind.db.gds", raising=False)
    monkeypatch.setitem(sys.modules, "graphdatascience", None)
    with pytest.raises(ConfigurationError, match=r"Nothing was stored.*pip install 'legacymind\[gds\]'"):
        await mind.operations["analyze"].call({})
    with pytest.raises(ConfigurationError, match=r"pip install 'legacymind\[gds\]'"):
        await mind.gds()
    assert (await mind.communities()).communities == []


def test_a_command_imports_the_driver_and_no_pandas(real_env: dict[str, str]) -> None:
    program = (
        "import atexit, sys; from legacymind.doors.cli.main import main\n"
        "names = 'neo4j', 'graphdatascience', 'pandas', 'pyarrow'\n"
        "atexit.register(lambda: print('imported:', *filter(sys.modules.get, names)))\n"
        "main()"
    )
    command = sys.executable, "-c", program, "communities"
    done = subprocess.run(command, env=real_env, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("imported: neo4j\n")


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
    assert any(READ_PROGRESS.text[3:40] in statement for statement in wire.statements)
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
