"""The client of Graph Data Science, whose calls block: ``pip install 'legacymind[gds]'``.

Importing this module takes a second or two.
"""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from neo4j import GraphDatabase

from legacymind.db.graph import Graph
from legacymind.db.options import Address, Limits, driver_options
from legacymind.db.query import of_client
from legacymind.errors import ConfigurationError

for _hidden in ("pandas", "pyarrow"):  # by the command line
    if not sys.modules.get(_hidden, True):
        del sys.modules[_hidden]
try:
    from graphdatascience import GraphDataScience
    from graphdatascience.query_runner.neo4j_query_runner import Neo4jQueryRunner
    from graphdatascience.versions import ServerVersion
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]
except ImportError:
    raise ConfigurationError(
        "Graph algorithms need the package graphdatascience.", hint="Run `pip install 'legacymind[gds]'`."
    ) from None

T = TypeVar("T")


class _Runner(Neo4jQueryRunner):
    """Sends the statements of a client, which waits in another thread, through a ``Graph``.

    So they take their turn at the gate, and have the limits, the retries and the errors of all others. A
    driver of the client's own would have no limit of time, and nothing could end what it waits for.
    """

    def __init__(self, graph: Graph) -> None:
        super().__init__(None, "bolt")  # pyright: ignore[reportArgumentType]  # nothing uses a driver
        self._graph = graph
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[Any] | None = None
        self._cancelled = False

    def run_cypher(self, query: str, query_type: Any, params: Any = None, *_: Any, **__: Any) -> DataFrame:
        sending = self._send(query, params or {})
        return DataFrame(asyncio.run_coroutine_threadsafe(sending, self._loop).result())

    run_retryable_cypher = run_cypher

    def server_version(self) -> ServerVersion:
        # The client's own method hides why it failed.
        return ServerVersion.from_string(self.call_function("gds.version"))

    async def _send(self, query: str, params: dict[str, Any]) -> list[dict[str, Any]]:
        if self._cancelled:
            raise asyncio.CancelledError
        self._task = asyncio.current_task()
        return await self._graph.run(of_client(query), params)

    def cancel(self) -> None:
        """End the statement that runs, and let none begin."""
        self._cancelled = True
        if self._task is not None:
            self._task.cancel()


async def with_client(graph: Graph, work: Callable[[GraphDataScience], T]) -> T:
    """Do ``work`` with a client in a thread of its own, so that analyses take none that others wait for.

    When it is cancelled, the statement that runs on the server ends, and then the work. Raises a
    DatabaseError, AlgorithmsMissing if the server has no Graph Data Science.
    """
    runner, thread = _Runner(graph), ThreadPoolExecutor(1)
    done = asyncio.get_running_loop().run_in_executor(
        thread,
        copy_context().run,
        lambda: work(GraphDataScience(runner, arrow=False, show_progress=False)),
    )
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        runner.cancel()
        await asyncio.gather(done, return_exceptions=True)
        raise
    finally:
        thread.shutdown(wait=False)


async def own_client(graph: Graph, address: Address, limits: Limits) -> GraphDataScience:
    """A client with a driver of its own, for a notebook; the raised errors are those of ``with_client``."""
    await with_client(graph, GraphDataScience.server_version)
    driver = GraphDatabase.driver(**driver_options(address, limits))  # pyright: ignore[reportUnknownMemberType]
    runner = Neo4jQueryRunner(driver, "bolt", database=address.database, auto_close=True)
    return await asyncio.to_thread(GraphDataScience, runner, arrow=False)
