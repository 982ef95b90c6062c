"""The client of Graph Data Science, whose calls block: ``pip install 'legacymind[gds]'``.

Importing this module takes a second or two.
"""

import asyncio
import sys

from neo4j import GraphDatabase

from legacymind.db.graph import Graph
from legacymind.db.options import Address, Limits, driver_options
from legacymind.db.query import load
from legacymind.errors import ConfigurationError

for _hidden in ("pandas", "pyarrow"):  # by the command line
    if not sys.modules.get(_hidden, True):
        del sys.modules[_hidden]
try:
    from graphdatascience import GraphDataScience
    from graphdatascience.query_runner.neo4j_query_runner import Neo4jQueryRunner
except ImportError:
    raise ConfigurationError(
        "The client of Graph Data Science is the package graphdatascience.",
        hint="Run `pip install 'legacymind[gds]'`.",
    ) from None


READ_VERSION = load("analysis/read_version", str, writes=False)


async def own_client(graph: Graph, address: Address, limits: Limits) -> GraphDataScience:
    """A client with a driver of its own, for a notebook. Raises AlgorithmsMissing without the plugin."""
    await graph.run(READ_VERSION, {})
    driver = GraphDatabase.driver(**driver_options(address, limits))  # pyright: ignore[reportUnknownMemberType]
    runner = Neo4jQueryRunner(driver, "bolt", database=address.database, auto_close=True)
    return await asyncio.to_thread(GraphDataScience, runner, arrow=False)
