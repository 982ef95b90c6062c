"""OpenTelemetry spans of calls, embeddings and statements, with the extra ``otel``.

Attributes are names and numbers, as in the metrics; no text of a caller becomes one.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.trace import Status, StatusCode, Tracer

from legacymind.calls import current_caller
from legacymind.errors import ConfigurationError, LegacyMindError
from legacymind.model.think import RecallResult, ThinkResult
from legacymind.observe import Observer, Step, observed_by
from legacymind.settings import Settings

_LAST: Final = 5.0
"""Seconds that the collector has to answer, also at the end of the server."""


@asynccontextmanager
async def traced(settings: Settings) -> AsyncGenerator[None]:
    """Send the spans of this process to the collector of the settings, if there is one.

    Those of the MCP SDK, which enclose them, are sent too. The end waits up to five seconds until the last
    ones are sent. Raises ConfigurationError without the extra.
    """
    if not settings.otlp_endpoint:
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as missing:
        raise ConfigurationError(
            "LEGACYMIND_OTLP_ENDPOINT needs the extra `otel`.", hint="pip install 'legacymind[otel]'"
        ) from missing
    provider = TracerProvider(
        resource=Resource.create({"service.name": "legacymind"}), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(settings.otlp_endpoint, timeout=_LAST)))
    trace.set_tracer_provider(provider)
    try:
        with observed_by(spans(provider.get_tracer("legacymind"))):
            yield
    finally:
        await asyncio.to_thread(provider.shutdown)  # sends the last spans


def spans(tracer: Tracer) -> Observer:
    """Observes steps as spans."""

    @contextmanager
    def span(step: Step) -> Generator[None]:
        if step.kind == "subscription":  # its statements have spans, and it may last for days
            yield
            return
        outer = trace.get_current_span()
        # Without the exception: its message may be private.
        with tracer.start_as_current_span(
            f"{step.kind} {step.name}", record_exception=False, set_status_on_exception=False
        ) as own:
            try:
                yield
            finally:
                own.set_attributes(_attributes(step))
                if step.searches_vectors:
                    outer.set_attribute("legacymind.vector_search_ms", round(step.seconds * 1000, 2))
                if step.error is not None:
                    own.set_status(Status(StatusCode.ERROR))

    return span


def _attributes(step: Step) -> dict[str, str | int]:
    if step.kind != "operation":
        return {}
    found: dict[str, str | int] = {
        "legacymind.operation": step.name,
        "legacymind.door": current_caller().door,
    }
    if isinstance(step.error, LegacyMindError):
        found["legacymind.error_code"] = step.error.code
    if type(scale := step.arguments.get("injection_scale")) is int:
        found["legacymind.scale"] = scale
    if isinstance(step.result, ThinkResult | RecallResult):
        found["legacymind.mode"] = step.result.mode_selected
        found["legacymind.injected_count"] = len(step.result.memories) + step.result.left_out
    return found
