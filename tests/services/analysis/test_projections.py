"""A projection in the server's memory never outlives its call, whatever happens in it."""

import asyncio
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from legacymind.db.query import Parameters
from legacymind.errors import ConfigurationError, DatabaseError
from legacymind.mind import Mind
from legacymind.services.analysis.analysis import PROJECT_GRAPH, RANK_NODES
from legacymind.services.analysis.projections import projected
from legacymind.services.analysis.similar import COMPARE_THOUGHTS
from tests.steps import store_thought
from tests.wire import raw

pytestmark = pytest.mark.anyio


async def kept(mind: Mind) -> set[str]:
    """The names of all projections on the server."""
    rows = await raw(mind, "CALL gds.graph.list() YIELD graphName AS name RETURN name")
    return {row["name"] for row in rows}


async def test_a_namespace_of_one_thought_is_analysed(mind: Mind) -> None:
    await mind.analyze()  # nothing to project
    await store_thought(mind, "the only thought")
    result = await mind.analyze()
    assert (result.thoughts, result.neighbours, result.nodes, result.unassigned) == (1, 0, 1, 1)


@pytest.mark.slow
async def test_a_finished_failed_or_cancelled_algorithm_leaves_nothing_on_the_server(mind: Mind) -> None:
    await store_thought(mind, "the only thought")
    request: Parameters = {
        "namespace": mind.settings.namespace,
        "now": datetime.now(UTC),
        "weights": {},
        "undirected": [],
    }
    names: list[str] = []
    running = asyncio.Event()

    async def run(fails: bool, seconds: float) -> None:
        async with projected(mind.graph, PROJECT_GRAPH, request) as projection:
            assert projection
            assert projection.nodes == 1
            names.append(projection.name)
            assert projection.name in await kept(mind)
            running.set()
            await asyncio.sleep(seconds)
            if fails:  # a projection without vectors
                await projection.run(COMPARE_THOUGHTS, k=3, least=0.5)
            await projection.run(RANK_NODES)

    await run(False, 0)
    with pytest.raises(DatabaseError, match="vector"):
        await run(True, 0)
    running.clear()
    task = asyncio.create_task(run(False, 600))
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(names) == 3
    assert not await kept(mind) & {*names}


async def test_without_its_package_the_client_says_what_to_install_and_the_analysis_runs(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "legacymind.db.gds", raising=False)
    monkeypatch.setitem(sys.modules, "graphdatascience", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'legacymind\[gds\]'"):
        await mind.gds()
    await mind.operations["analyze"].call({})


@pytest.mark.slow
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
