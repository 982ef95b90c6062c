"""``/healthz`` and ``/readyz``: whether the process lives, and whether it can answer calls."""

import asyncio
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from legacymind.doors.access import Access
from legacymind.doors.mcp.readiness import Readiness
from legacymind.errors import EmbeddingMismatch, EngineNotRunning, LegacyMindError, Starting
from legacymind.mind import Mind

_TIMEOUT: Final = 5.0
"""Seconds that ``/readyz`` waits for the database."""


class Health:
    """Reports on a mind. It probes the database with one task at a time.

    The end of a request does not cancel the task: that could stop a managed engine during its start.
    """

    def __init__(self, mind: Mind, memory: Readiness) -> None:
        self._mind = mind
        self._memory = memory
        self._probe: asyncio.Task[str] | None = None

    async def alive(self, request: Request) -> Response:
        """The response of ``/healthz``."""
        return JSONResponse({"ok": True})

    async def ready(self, request: Request) -> Response:
        """The response of ``/readyz``: 200 if the database answers and fits, and the mind is warmed up."""
        ok, report = await self._report()
        if Access.of(request.scope).anonymous:
            report = {}
        return JSONResponse({"ok": ok} | report, 200 if ok else 503)

    async def close(self) -> None:
        """Cancel the probe."""
        if self._probe is not None:
            self._probe.cancel()
            await asyncio.gather(self._probe, return_exceptions=True)

    async def _report(self) -> tuple[bool, dict[str, Any]]:
        try:
            # In a thread: an embedder may import its library to determine its dimensions.
            info = await asyncio.to_thread(lambda: self._mind.vectors.embedder.info)
        except LegacyMindError as error:
            return False, {"embedding": None, "reason": str(error)}
        report: dict[str, Any] = {"embedding": info.fingerprint}
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._version())
        await asyncio.wait({self._probe}, timeout=_TIMEOUT)
        if not self._probe.done():
            reason = f"The database did not answer within {_TIMEOUT:g} seconds."
            return False, report | {"database": {"reachable": False, "reason": reason}}
        try:
            database = {"reachable": True, "version": self._probe.result()}
        except (EmbeddingMismatch, Starting) as error:
            return False, report | {"database": {"reachable": True, "reason": str(error)}}
        except LegacyMindError as error:
            return False, report | {"database": {"reachable": False, "reason": str(error)}}
        return True, report | {"database": database}

    async def _version(self) -> str:
        managed = not self._mind.settings.neo4j_uri
        if managed and self._memory.ended and not (await asyncio.to_thread(self._mind.engine.status)).running:
            # A health check must not restart the engine after `legacymind down`.
            raise EngineNotRunning("The managed Neo4j is not running.", hint="Run `legacymind up`.")
        version = await self._mind.graph.ping()
        await self._mind.vectors.check()  # reports another model's vectors
        self._memory.begin()
        if not self._memory.ended:
            raise Starting("The first calls are being prepared.", hint="Ask again in a few seconds.")
        return version
