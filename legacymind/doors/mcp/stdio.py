"""``legacymind mcp``: MCP over standard input and output.

An agent's client waits for ``initialize`` and ``tools/list`` before it does anything else. Both are answered
without the database and the model, and without importing the modules behind them; see ``server.CATALOGUE``.
"""

import asyncio
import gc
import logging
import sys
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from legacymind.errors import InvalidInput
from legacymind.settings import Settings, load_settings

if TYPE_CHECKING:
    from legacymind.mind import Mind
    from legacymind.operations.registry import Profile

_WARM_UP = 0.5
"""Seconds after the start when the mind is opened; by then the tools have been listed."""


def run_stdio(settings: Settings, profile: "Profile" = "core") -> None:
    """Serve MCP on standard input and output until the input ends.

    Thoughts without a session go to a session of this process. Logs go to standard error.
    Raises InvalidInput when standard input or output is closed.
    """
    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        if stream is None:  # pyright: ignore[reportUnnecessaryComparison]  # Python's value for a closed stream
            raise InvalidInput(
                f"Standard {name} is closed.",
                hint="Start `legacymind mcp` from an MCP client, which connects standard input and output.",
            )
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    with _fast_imports():
        from legacymind.doors.mcp import server, wire

    lazy = _LazyMind(settings)
    served = server.serve(server.read_catalogue(profile), lazy.get)

    async def serve() -> None:
        try:
            async with wire.wire() as (reads, writes):
                lazy.warm_up()
                await served.run(reads, writes, served.create_initialization_options())
        finally:
            await lazy.close()

    try:
        asyncio.run(serve())
    except* (KeyboardInterrupt, BrokenPipeError):
        pass  # the client has disconnected


@contextmanager
def _fast_imports() -> Generator[None]:
    """Import the SDK in three quarters of the time.

    The SDK defines hundreds of pydantic models for all versions of the protocol, and a session uses few
    of them, so validators are built at first use. Imported objects stay alive, so garbage collection is off.
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


class _LazyMind:
    """A mind that is opened in a thread, shortly after the start or at first use."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opening: asyncio.Task[Mind] | None = None

    def warm_up(self) -> None:
        """Schedule the opening for after the handshake."""
        asyncio.get_running_loop().call_later(_WARM_UP, self._start)

    async def get(self) -> "Mind":
        """The mind. Raises ConfigurationError when the settings do not fit together."""
        return await asyncio.shield(self._start())

    async def close(self) -> None:
        """Close the mind if it was opened."""
        if self._opening is not None:
            (opened,) = await asyncio.gather(self._opening, return_exceptions=True)
            if not isinstance(opened, BaseException):
                await opened.close()

    def _start(self) -> "asyncio.Task[Mind]":
        if self._opening is None:
            self._opening = asyncio.create_task(asyncio.to_thread(self._open))
        return self._opening

    def _open(self) -> "Mind":
        from legacymind.mind import Mind

        return Mind(self._settings, session_id=f"mcp-{uuid.uuid4()}")


if __name__ == "__main__":
    run_stdio(load_settings())
