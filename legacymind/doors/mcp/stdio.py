"""``legacymind mcp``: MCP over standard input and output.

An agent's client waits for ``initialize`` and ``tools/list`` before it does anything else. Both are answered
without the database and the model, and without importing the modules behind them; see ``server.CATALOGUE``.
"""

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from typing import TYPE_CHECKING, Any, Final

from legacymind.errors import InvalidInput
from legacymind.settings import Settings, load_settings

if TYPE_CHECKING:
    from legacymind.doors.mcp.readiness import ServerContext
    from legacymind.doors.mcp.server import Listing
    from legacymind.mind import Mind
    from legacymind.operations.registry import Operation

_WARM_UP = 0.5
"""Seconds after the start when the memory is warmed up; by then the tools have been listed."""

_DRAIN: Final = 10.0
"""Seconds that requests in progress get to finish after the end of the input."""

_END: Final = 15.0
"""Seconds after the end of the input when the process ends, whatever its threads still do."""

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
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the SDK's thread reads on, so Python could not end
    with _fast_imports():
        from legacymind.doors.mcp import readiness, server

    tools = server.read_catalogue(listing)
    logging_calls, logged = ExitStack(), list[None]()

    async def opened() -> "Mind":
        mind = await open_mind(settings)
        if not logged:  # imported with the mind: the tools are listed without
            from legacymind.observe import observed_by
            from legacymind.services.chain.call_log import CallLog

            logged.append(logging_calls.enter_context(observed_by(CallLog(settings))))
        return mind

    memory = readiness.Readiness(opened, watch=True)

    async def operations(context: "ServerContext") -> "Mapping[str, Operation]":
        return (await memory.mind(context)).operations

    served = server.serve(listing, tools, operations)

    async def serve() -> None:
        try:
            async with beside(memory.warm) if beside else nullcontext(), patient_stdio() as (reads, writes):
                asyncio.get_running_loop().call_later(_WARM_UP, memory.begin)
                await served.run(reads, writes, served.create_initialization_options())
        finally:
            logging_calls.close()
            await memory.close()

    try:
        asyncio.run(serve())
    except* BrokenPipeError:
        pass  # the client has disconnected


@asynccontextmanager
async def patient_stdio() -> AsyncGenerator[tuple[Any, Any]]:
    """The SDK's streams of messages. The SDK would drop a broken line, and cancel calls at the end of input.

    Here a broken line is answered with an error, and the input ends after the last answer. Meanwhile neither
    a child process nor a ``print`` touches the protocol.
    """
    import anyio
    import mcp_types as types
    from mcp.server.stdio import stdio_server
    from mcp.shared.dispatcher import as_request_id, coerce_request_id
    from mcp.shared.message import SessionMessage

    unanswered: Counter[Any] = Counter()
    settled = anyio.Event()

    def settle(sent: object) -> None:
        id = as_request_id(sent)
        if id is not None and unanswered[coerce_request_id(id)] > 0:
            unanswered[coerce_request_id(id)] -= 1
            settled.set()

    async with stdio_server() as (source, target), anyio.create_task_group() as tasks:
        into, reads = anyio.create_memory_object_stream[Any](0)
        writes, out = anyio.create_memory_object_stream[Any](0)

        async def read() -> None:
            nonlocal settled
            async with into:
                async for item in source:
                    if isinstance(item, Exception):
                        if not _is_blank(item):
                            await target.send(SessionMessage(_broken_line(types)))
                        continue
                    message = item.message
                    if isinstance(message, types.JSONRPCRequest):
                        unanswered[coerce_request_id(message.id)] += 1
                    elif isinstance(message, types.JSONRPCNotification):
                        if not message.method.startswith("notifications/"):
                            # A request without a usable id is parsed so, and would get no answer.
                            await target.send(SessionMessage(_broken_line(types)))
                            continue
                        if message.method == "notifications/cancelled":
                            settle((message.params or {}).get("requestId"))
                    await into.send(item)
                # Python waits for threads, such as one that starts the engine or computes a vector.
                end = threading.Timer(_END, os._exit, (0,))
                end.daemon = True
                end.start()
                with anyio.move_on_after(_DRAIN):
                    while unanswered.total():
                        settled = anyio.Event()
                        await settled.wait()

        async def write() -> None:
            async with out:
                async for item in out:
                    await target.send(item)
                    if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                        settle(item.message.id)

        tasks.start_soon(read)
        tasks.start_soon(write)
        yield reads, writes
        tasks.cancel_scope.cancel()
        await target.aclose()


def _is_blank(item: Exception) -> bool:
    """Whether the line that could not be parsed is empty."""
    from pydantic import ValidationError

    return isinstance(item, ValidationError) and not str(item.errors()[0]["input"]).strip()


def _broken_line(types: Any) -> Any:
    error = InvalidInput(
        "The line is no JSON-RPC message.",
        effect="Nothing was stored or changed.",
        hint="Send each message as one line of JSON in UTF-8, with a string or a whole number as id.",
    )
    data = types.ErrorData(code=types.PARSE_ERROR, message=str(error), data=error.envelope())
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=data)


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
