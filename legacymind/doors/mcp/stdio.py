"""MCP over stdio: what ``legacymind mcp`` runs.

An agent's client waits for ``initialize`` and ``tools/list`` before it can do anything, so they touch
neither the database nor the model, nor even import what speaks to them; see ``mcp_server.CATALOGUE``.
"""

import asyncio
import gc
import logging
import sys
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from legacymind.settings import Settings, load_settings

if TYPE_CHECKING:
    from legacymind.mind import Mind
    from legacymind.operations.registry import Profile

_WARM_UP = 0.5
"""Seconds after the handshake; the tools have been listed by then."""


def run_stdio(settings: Settings, profile: "Profile" = "core") -> None:
    """Serve MCP on standard input and output until the input ends.

    Thoughts that name no session go to one of this process. Logs go to standard error.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    with _swift_imports():
        from legacymind.doors.mcp import server, wire

    late = _LateMind(settings)
    server = server.serve(server.read_catalogue(profile), late.get)

    async def serve() -> None:
        try:
            async with wire.wire() as (reads, writes):
                late.warm_up()
                await server.run(reads, writes, server.create_initialization_options())
        finally:
            await late.close()

    try:
        asyncio.run(serve())
    except* (KeyboardInterrupt, BrokenPipeError):
        pass  # the client is gone


@contextmanager
def _swift_imports() -> Generator[None]:
    """Import the SDK in three quarters of the time.

    It defines hundreds of pydantic models for every version of the protocol, of which a session uses
    a handful: their validators are built when they are first used. And what it makes, stays:
    collecting garbage meanwhile finds nothing.
    """
    from pydantic import BaseModel

    gc.disable()
    BaseModel.model_config["defer_build"] = True
    try:
        yield
    finally:
        del BaseModel.model_config["defer_build"]
        gc.freeze()
        gc.enable()


class _LateMind:
    """A mind that is made in a thread, soon after the start or when it is first needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._making: asyncio.Task[Mind] | None = None

    def warm_up(self) -> None:
        """Make it when the handshake should be over."""
        asyncio.get_running_loop().call_later(_WARM_UP, self._start)

    async def get(self) -> "Mind":
        """The mind. Raises ConfigurationError."""
        return await asyncio.shield(self._start())

    async def close(self) -> None:
        """Close it if there is one."""
        if self._making is not None:
            (made,) = await asyncio.gather(self._making, return_exceptions=True)
            if not isinstance(made, BaseException):
                await made.close()

    def _start(self) -> "asyncio.Task[Mind]":
        if self._making is None:
            self._making = asyncio.create_task(asyncio.to_thread(self._make))
        return self._making

    def _make(self) -> "Mind":
        from legacymind.mind import Mind

        return Mind(self._settings, session_id=f"mcp-{uuid.uuid4()}")


if __name__ == "__main__":
    run_stdio(load_settings())
