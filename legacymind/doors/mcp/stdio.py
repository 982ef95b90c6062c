"""``legacymind mcp``: MCP over standard input and output.

An agent's client waits for ``initialize`` and ``tools/list`` before it does anything else. Both are answered
without the database and the model, and without importing the modules behind them; see ``server.CATALOGUE``.
"""

import asyncio
import gc
import logging
import sys
import uuid
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from legacymind.errors import InvalidInput
from legacymind.settings import Settings, load_settings

if TYPE_CHECKING:
    from legacymind.doors.mcp.server import Listing
    from legacymind.mind import Mind
    from legacymind.operations.registry import Operation

_WARM_UP = 0.5
"""Seconds after the start when the memory is warmed up; by then the tools have been listed."""


Beside = Callable[[Callable[[], Awaitable["Mind"]]], AbstractAsyncContextManager[None]]
"""Work beside the server, with what returns the warm mind."""


def run_stdio(settings: Settings, listing: "Listing" = "core", beside: Beside | None = None) -> None:
    """Serve MCP on standard input and output until the input ends.

    Thoughts without a session go to a session of this process. Logs go to standard error.
    ``beside`` is entered meanwhile.
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
        from legacymind.doors.mcp import readiness, server, wire

    tools = server.read_catalogue(listing)
    memory = readiness.Readiness(lambda: open_mind(settings), watch=True)

    async def operations(call: readiness.ToolCall) -> "Mapping[str, Operation]":
        return (await memory.mind(call)).operations

    served = server.serve(listing, tools, operations)

    async def serve() -> None:
        try:
            async with beside(memory.warm) if beside else nullcontext(), wire.wire() as (reads, writes):
                asyncio.get_running_loop().call_later(_WARM_UP, memory.begin)
                await served.run(reads, writes, served.create_initialization_options())
        finally:
            await memory.close()

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


async def open_mind(settings: Settings) -> "Mind":
    """A mind with a session of this process, imported in a thread: that takes half a second."""

    def make() -> "Mind":
        from legacymind.mind import Mind

        return Mind(settings, session_id=f"mcp-{uuid.uuid4()}")

    return await asyncio.to_thread(make)


if __name__ == "__main__":
    run_stdio(load_settings())
