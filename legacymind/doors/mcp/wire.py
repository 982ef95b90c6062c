"""Standard input and output as the transport of an MCP server.

The server reads from and writes to two in-memory streams, the SDK's interface for custom transports.
One task parses lines of input into one stream; another writes the messages of the other as lines of output.
"""

import asyncio
import concurrent.futures
import os
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.dispatcher import as_request_id, coerce_request_id
from mcp.shared.message import SessionMessage

from legacymind.doors.mcp import frames
from legacymind.errors import InvalidInput

_CHUNK: Final = 64 * 1024
_DRAIN: Final = 10.0
"""Seconds that requests in progress get to finish after the end of the input."""

Incoming = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def wire() -> AsyncGenerator[Streams]:
    """The streams to give to ``Server.run``: messages from standard input, messages for standard output.

    Meanwhile descriptor 0 is empty and descriptor 1 is standard error, so that neither a child process nor a
    ``print`` touches the protocol.
    """
    with _diverted(0) as source, _diverted(1) as target:
        incoming, reads = anyio.create_memory_object_stream[Incoming]()
        writes, outgoing = anyio.create_memory_object_stream[SessionMessage]()
        unanswered = Unanswered()
        async with anyio.create_task_group() as writing:
            writing.start_soon(_write, outgoing, target, unanswered)
            async with anyio.create_task_group() as reading:
                reading.start_soon(_read, source, incoming, writes.clone(), unanswered)
                yield reads, writes
                reading.cancel_scope.cancel()  # the server ended before the input did


class Unanswered:
    """Counts requests that have been read and not yet answered, by id.

    Ids are compared as the SDK does: "7" and 7 are the same, and one id may be used by several requests.
    """

    def __init__(self) -> None:
        self._requests: Counter[types.RequestId] = Counter()
        self._changed = asyncio.Event()

    def read(self, message: types.JSONRPCMessage) -> None:
        """Note a message from the client: a request adds to the count, a cancellation takes from it."""
        if isinstance(message, types.JSONRPCRequest):
            self._requests[coerce_request_id(message.id)] += 1
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def written(self, message: types.JSONRPCMessage) -> None:
        """Note a message to the client."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._settle(message.id)

    async def settled(self) -> None:
        """Wait until every request has been answered or cancelled."""
        while self._requests:
            self._changed.clear()
            await self._changed.wait()

    def _settle(self, sent_id: object) -> None:
        id = as_request_id(sent_id)
        if id is None:
            return
        id = coerce_request_id(id)
        if self._requests[id] > 1:
            self._requests[id] -= 1
        else:
            del self._requests[id]  # a Counter ignores keys that it does not have
        self._changed.set()


async def _read(
    descriptor: int,
    incoming: MemoryObjectSendStream[Incoming],
    responses: MemoryObjectSendStream[SessionMessage],
    unanswered: Unanswered,
) -> None:
    """Pass on every message, answer every unusable line, and end after the last request is answered.

    The SDK cancels requests in progress when its stream ends.
    """
    async with incoming, responses:
        with suppress(anyio.BrokenResourceError):  # the server has ended
            async for line in _lines(descriptor):
                if not line.head.strip():
                    continue
                try:
                    message = frames.parse(line)
                except InvalidInput as error:
                    await responses.send(SessionMessage(frames.refusal(line, error)))
                    continue
                unanswered.read(message)
                await incoming.send(SessionMessage(message))
            with anyio.move_on_after(_DRAIN):
                await unanswered.settled()


async def _write(
    outgoing: MemoryObjectReceiveStream[SessionMessage], descriptor: int, unanswered: Unanswered
) -> None:
    async with outgoing:
        async for item in outgoing:
            await anyio.to_thread.run_sync(_write_all, descriptor, frames.encode(item.message))
            unanswered.written(item.message)


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


async def _lines(descriptor: int) -> AsyncGenerator[frames.Line]:
    """The lines of a descriptor, read by a thread that does not keep the process from ending."""
    queue: asyncio.Queue[frames.Line | None] = asyncio.Queue(1)
    loop = asyncio.get_running_loop()

    def put(line: frames.Line | None) -> None:
        asyncio.run_coroutine_threadsafe(queue.put(line), loop).result()

    def read() -> None:
        splitter = frames.Splitter()
        # RuntimeError and CancelledError: the loop has ended, and nothing reads the queue any more.
        with suppress(RuntimeError, concurrent.futures.CancelledError):
            with suppress(OSError):  # a terminal or socket that was closed
                while chunk := os.read(descriptor, _CHUNK):
                    for line in splitter.feed(chunk):
                        put(line)
            put(splitter.end())
            put(None)

    threading.Thread(target=read, name="mcp stdin", daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line


@contextmanager
def _diverted(descriptor: int) -> Generator[int]:
    """A duplicate of descriptor 0 or 1; the original refers to the null device or to standard error."""
    own = os.dup(descriptor)
    # Not closed at the end: the reading thread may still wait on it, and its number must not be used again.
    _divert(descriptor)
    try:
        yield own
    finally:
        os.dup2(own, descriptor)


def _divert(descriptor: int) -> None:
    if descriptor == 1:
        with suppress(OSError):  # standard error may be closed
            os.dup2(2, 1)
            return
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)
