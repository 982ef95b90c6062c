"""OpenTelemetry spans of a call, and that they hold nothing private."""

from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from legacymind.doors.http.app import build_app
from legacymind.doors.http.tracing import spans
from legacymind.mind import Mind
from legacymind.observe import observed_by
from tests.doors.http.test_app import browsing

pytestmark = pytest.mark.anyio

PRIVATE = "the ostrich and its password"
THINK = f'mutation {{ think(content: "{PRIVATE}", hint: "debug", injectionScale: 3) {{ reason }} }}'
WRONG = f'mutation {{ thoughtDecision(sessionId: "{PRIVATE}", decision: "", actionId: "x") {{ success }} }}'
READ = '{ thoughtsThread(sessionId: "session") { count } }'


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


async def test_a_call_is_a_span_around_its_embedding_and_its_statements(mind: Mind) -> None:
    await mind.warm_up()
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with observed_by(spans(provider.get_tracer("test"))):
        async with browsing(build_app(mind)) as client:
            await client.post("/graphql", json={"query": THINK}, headers={"x-request-id": "r-1"})
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
        "legacymind.request_id": "r-1",
        "legacymind.scale": 3,
        "legacymind.mode": "debug",
        "legacymind.injected_count": 0,
    }
    inner = {span.name for span in finished if span.parent and span.parent.span_id == call.context.span_id}
    assert {"embed passages", "statement think/think"} <= inner
    (read,) = [span for span in finished if span.name == "operation thoughts_thread"]
    assert "legacymind.vector_search_ms" not in attributes(read)
    (failed,) = [span for span in finished if span.name == "operation thought_decision"]
    assert attributes(failed)["legacymind.error_code"] == "invalid_input"
    assert not failed.status.is_ok
    assert "ostrich" not in "".join(span.to_json() for span in finished)
