"""OpenTelemetry spans of a call, that they hold nothing private, and that the last ones are sent."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from legacymind.doors.http import tracing
from legacymind.doors.http.app import build_app
from legacymind.doors.http.tracing import spans, traced
from legacymind.mind import Mind
from legacymind.observe import Step, observed, observed_by
from legacymind.settings import Settings
from tests.doors.http.test_app import browsing

pytestmark = pytest.mark.anyio

PRIVATE = "the ostrich and its password"
THINK = f'mutation {{ think(input: {{content: "{PRIVATE}", hint: DEBUG, injectionScale: 3}}) {{ reason }} }}'
WRONG = (
    f'mutation {{ thoughtRecord(input: {{sessionId: "{PRIVATE}", thoughtType: "x", content: ""}}) '
    "{ repeated } }"
)
READ = "{ chainHeads { namespace } }"


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


async def test_a_call_is_a_span_around_its_embedding_and_its_statements(mind: Mind) -> None:
    await mind.warm_up()
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with observed_by(spans(provider.get_tracer("test"))):
        async with browsing(build_app(mind)) as client:
            await client.post("/graphql", json={"query": THINK})
            await client.post("/graphql", json={"query": WRONG})
            await client.post("/graphql", json={"query": READ})
    finished = exporter.get_finished_spans()
    (call,) = [span for span in finished if span.name == "operation think"]
    assert call.context is not None
    found = attributes(call)
    assert found.pop("legacymind.vector_search_ms") > 0
    assert found == {
        "legacymind.operation": "think",
        "legacymind.door": "graphql",
        "legacymind.scale": 3,
        "legacymind.mode": "debug",
        "legacymind.injected_count": 0,
    }
    inner = {span.name for span in finished if span.parent and span.parent.span_id == call.context.span_id}
    assert {"embed passages", "statement think/store_thoughts"} <= inner
    (read,) = [span for span in finished if span.name == "operation chain_heads"]
    assert "legacymind.vector_search_ms" not in attributes(read)
    (failed,) = [span for span in finished if span.name == "operation thought_record"]
    assert attributes(failed)["legacymind.error_code"] == "invalid_input"
    assert not failed.status.is_ok
    assert "ostrich" not in "".join(span.to_json() for span in finished)


@asynccontextmanager
async def collecting(answer: Callable[[], Awaitable[object]]) -> AsyncGenerator[str]:
    """The address of a collector on this event loop; it answers a request when ``answer`` returns."""

    async def collect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length:")[2].split()[0]))
        await answer()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(collect, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/traces"


@pytest.fixture
def no_global_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenTelemetry sets the provider of a process only once."""

    def ignore(provider: object) -> None: ...

    monkeypatch.setattr(trace, "set_tracer_provider", ignore)


@pytest.mark.usefixtures("no_global_provider")
async def test_the_last_spans_are_sent_before_the_end_while_the_loop_runs() -> None:
    sent = 0

    async def answer() -> None:
        nonlocal sent
        sent += 1

    async with collecting(answer) as address:
        async with traced(Settings(otlp_endpoint=address)):
            with observed(Step("operation", "think")):
                pass
        assert sent == 1


@pytest.mark.usefixtures("no_global_provider")
async def test_a_collector_that_does_not_answer_does_not_hold_up_the_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tracing, "_LAST", 0.1)
    released = asyncio.Event()
    async with collecting(released.wait) as address:
        async with traced(Settings(otlp_endpoint=address)):
            with observed(Step("operation", "think")):
                pass
        assert "Failed to export" in caplog.text
        released.set()
