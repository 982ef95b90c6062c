"""What `/metrics` and the logs report, and that they hold nothing private."""

import asyncio
import re
import socket
from typing import Any

import httpx2
import pytest
import uvicorn

from legacymind.doors.http.app import build_app
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.observe import Step, observed
from legacymind.operations.registry import Operation
from tests.doors.http.test_app import SEARCH, browsing

pytestmark = pytest.mark.anyio

PRIVATE = "the peacock's password"


def value(text: str, sample: str) -> float:
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def test_metrics_count_calls_errors_statements_and_the_graph(mind: Mind) -> None:
    think = {"query": f'mutation {{ think(input: {{content: "{PRIVATE}", hint: DEBUG}}) {{ reason }} }}'}
    async with browsing(build_app(mind)) as client:
        before = (await client.get("/metrics")).text
        for body in (think, SEARCH):
            await client.post("/graphql", json=body)
        for hint in (PRIVATE, "Debugging"):
            with pytest.raises(InvalidInput):
                await mind.operations["think"].call({"content": "", "hint": hint})
        with observed(Step("batch", "prune")) as step:
            step.result = 3
        answer = await client.get("/metrics")
        after = answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")

    def rise(sample: str) -> float:
        return value(after, sample) - value(before, sample)

    assert rise('legacymind_calls_total{door="graphql",operation="think"}') == 1
    assert rise('legacymind_calls_total{door="python",operation="think"}') == 2
    assert rise('legacymind_calls_total{door="graphql",operation="search"}') >= 1
    assert rise('legacymind_errors_total{code="invalid_input",mode="",operation="think"}') == 1
    assert rise('legacymind_errors_total{code="invalid_input",mode="debug",operation="think"}') == 1
    assert rise('legacymind_thoughts_total{mode="debug"}') == 1
    assert rise('legacymind_statement_seconds_count{statement="think/store_thoughts"}') >= 1
    assert rise("legacymind_embed_seconds_count") >= 1
    assert rise("legacymind_pruned_total") == 3
    assert value(after, 'legacymind_graph_nodes{label="Thought"}') >= 1
    assert value(after, "legacymind_graph_relationships") >= 1
    for private in ("peacock", mind.settings.namespace):
        assert private not in after


@pytest.mark.slow
async def test_a_stopping_server_finishes_the_calls_that_it_accepted(mind: Mind) -> None:
    arrived, finish = asyncio.Event(), asyncio.Event()
    search = mind.operations["search"]

    async def slow(**arguments: Any) -> Any:
        arrived.set()
        await finish.wait()
        return await search.method(**arguments)

    mind.operations["search"] = Operation(search.name, search.declaration, slow, search.arguments)
    server = uvicorn.Server(uvicorn.Config(build_app(mind), log_level="warning", lifespan="on", ws="none"))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with httpx2.AsyncClient() as client:
            while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
                await asyncio.sleep(0.01)
            call = asyncio.create_task(client.post(f"{base}/graphql", json=SEARCH))
            await arrived.wait()
            server.should_exit = True
            await asyncio.sleep(0.2)
            finish.set()
            answer = await call
        await running
    assert answer.json() == {"data": {"search": {"method": "GRAPH"}}}
