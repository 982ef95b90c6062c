"""Standard input and output as MCP's wire: one JSON-RPC message a line.

The SDK writes, and it reads what ``Lines`` gives it. Its own reader would drop a line it cannot parse
without an answer, store a thought that is not UTF-8 with its characters replaced, and hold a line of any
length in memory; here such a line is answered with the error envelope, and the next one is read.
"""

import asyncio
import json
import os
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self, cast

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from pydantic_core import from_json

from legacymind.doors.mcp.server import failure
from legacymind.errors import InvalidInput, LegacyMindError

MAX_LINE: Final = 4 * 1024 * 1024
"""Bytes of one message; a thought may have 100 KB, the rest is for remembering in bulk."""

_CHUNK: Final = 64 * 1024
_TAIL: Final = 1024
_PREFIX: Final = 150
_DRAIN: Final = 10.0
"""Seconds that calls under way are given when the input ends."""

_SEND: Final = "Send each JSON-RPC message as one line of JSON in UTF-8."

Answer = Callable[[SessionMessage], Awaitable[None]]
Streams = tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line; of one that is too long only its beginning and its end."""

    head: bytes
    tail: bytes
    size: int


class Splitter:
    """Chunks into lines, in memory that no line can fill."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._start()

    def _start(self) -> None:
        self._head = bytearray()
        self._tail = b""
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """The lines that end in this chunk."""
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._add(piece)
            yield self.end()
        self._add(rest)

    def end(self) -> Line:
        """What has been read of the current line."""
        line = Line(bytes(self._head), self._tail, self._size)
        self._start()
        return line

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        room = self._limit - len(self._head)
        self._head += piece[:room]
        self._tail = (self._tail + piece[room:])[-_TAIL:]


class Lines:
    """Standard input, line by line, as the SDK wants to iterate it.

    At the end of the input it waits until what was asked before has been answered: the SDK cancels
    whatever still runs when the iteration ends.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue: asyncio.Queue[Line | None] = asyncio.Queue(1)
        self._unanswered: set[str | int] = set()
        self._settled = asyncio.Event()
        self.answer: Answer | None = None

    def start(self) -> None:
        """Begin to read, in a thread of which a process that ends does not wait for another byte."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), name="mcp stdin", daemon=True).start()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        while (line := await self._queue.get()) is not None:
            if not line.head.strip():
                continue
            try:
                text = _decoded(line)
                message = _parsed(text)
            except LegacyMindError as refused:
                assert self.answer is not None
                await self.answer(SessionMessage(refusal(line, refused)))
                continue
            self._note(message)
            return text
        with anyio.move_on_after(_DRAIN):
            while self._unanswered:
                self._settled.clear()
                await self._settled.wait()
        raise StopAsyncIteration

    def settle(self, message: types.JSONRPCMessage) -> None:
        """Take note of an answer."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
            self._unanswered.discard(message.id)
            self._settled.set()

    def _note(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._unanswered.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._unanswered.discard((message.params or {}).get("requestId", ""))

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        splitter = Splitter()

        def put(line: Line | None) -> None:
            asyncio.run_coroutine_threadsafe(self._queue.put(line), loop).result()

        try:
            while chunk := os.read(self._descriptor, _CHUNK):
                for line in splitter.feed(chunk):
                    put(line)
            put(splitter.end())
            put(None)
        except RuntimeError:  # the loop is closed: nobody listens any more
            return


class Answers:
    """The SDK's write stream, which tells ``Lines`` what has been answered."""

    def __init__(self, inner: WriteStream[SessionMessage], lines: Lines) -> None:
        self._inner = inner
        self._lines = lines

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message."""
        await self._inner.send(item)
        self._lines.settle(item.message)

    async def aclose(self) -> None:
        """Write no more."""
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


@asynccontextmanager
async def wire() -> AsyncGenerator[
    tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]
]:
    """This process's standard input and output as the streams of an MCP server."""
    lines = Lines(_claim_stdin())
    # The SDK only ever iterates what it is given as stdin.
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", lines)) as (reads, writes):
        lines.answer = writes.send
        lines.start()
        yield reads, Answers(writes, lines)


def refusal(line: Line, refused: LegacyMindError) -> types.JSONRPCMessage:
    """The answer to a line that cannot be used: a failed call if it was one, else a JSON-RPC error.

    Either has the envelope. Where the line does not give its id away, the answer has none.
    """
    members = _members(line)
    id = members.get("id", _last_id(line.tail))
    if not isinstance(id, str | int) or isinstance(id, bool):
        id = None
    if id is not None and members.get("method") == "tools/call":
        result = failure(refused.envelope()).model_dump(by_alias=True, mode="json", exclude_none=True)
        return types.JSONRPCResponse(jsonrpc="2.0", id=id, result=result)
    code = types.INVALID_REQUEST if members else types.PARSE_ERROR
    data = types.ErrorData(code=code, message=str(refused), data=refused.envelope())
    return types.JSONRPCError(jsonrpc="2.0", id=id, error=data)


def _decoded(line: Line) -> str:
    if line.size > len(line.head):
        raise InvalidInput(
            f"The message is {line.size:,} bytes; at most {MAX_LINE:,} are read.",
            hint="Shorten it, or split it into several.",
        )
    try:
        return line.head.decode()
    except UnicodeDecodeError as reason:
        raise InvalidInput(f"The message is not UTF-8: byte {reason.start} is wrong.", hint=_SEND) from None


def _parsed(text: str) -> types.JSONRPCMessage:
    try:
        message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as refused:
        first = refused.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise InvalidInput(
                f"The message is not JSON: {first.get('ctx', {}).get('error')}.", hint=_SEND
            ) from None
        raise InvalidInput("The message is JSON, but not JSON-RPC 2.0.", hint=_SEND) from None
    if isinstance(message, types.JSONRPCNotification) and '"id"' in text and "id" in from_json(text):
        # Taken for a notification, it would never be answered.
        raise InvalidInput("The id of a request is neither a string nor a whole number.", hint=_SEND)
    return message


def _members(line: Line) -> dict[str, Any]:
    """The members of a broken message, as far as they can be made out."""
    text = line.head.decode("utf-8", "replace")
    ways: tuple[Callable[[], Any], ...] = (
        lambda: json.loads(text),  # takes lone surrogates, which pydantic's parser does not
        lambda: from_json(text, allow_partial=True),
        lambda: from_json(text[:_PREFIX], allow_partial=True),  # cannot be nested too deeply
    )
    for way in ways:
        try:
            found = way()
        except (ValueError, RecursionError):
            continue
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    return {}


def _last_id(tail: bytes) -> Any:
    """The id of a message that was cut, when it is the last member, as some clients write it."""
    _, found, rest = tail.decode("utf-8", "replace").rpartition('"id":')
    try:
        return json.loads('{"id":' + rest)["id"] if found else None
    except (ValueError, KeyError, TypeError):
        return None


def _claim_stdin() -> int:
    """Move the wire off descriptor 0, so that no child process and no ``input()`` reads from it."""
    own = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return own
