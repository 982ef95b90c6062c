"""MCP messages as bytes: one JSON-RPC message per line, in UTF-8.

The SDK's own reader would drop a line that it cannot parse without an answer, replace bytes that are not
UTF-8, and buffer a line of any length. Here each unusable line becomes an error response.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, cast

import mcp_types as types
from pydantic import ValidationError
from pydantic_core import from_json

from legacymind.doors.mcp.server import failure
from legacymind.errors import InvalidInput

MAX_LINE: Final = 4 * 1024 * 1024
"""Largest message in bytes. A thought may have 100 KB; the rest is for operations on many records."""

_TAIL: Final = 1024
"""Bytes kept of the end of a line that is too long: its id may be there."""

_PREFIX: Final = 150
"""Characters parsed of a line that cannot be parsed as a whole: too few to be nested too deeply."""

_FORMAT: Final = "Send each JSON-RPC message as one line of JSON in UTF-8."


@dataclass(frozen=True, slots=True)
class Line:
    """One line of input. Of a line longer than the limit, ``head`` and ``tail`` hold only both ends."""

    head: bytes
    tail: bytes
    size: int


class Splitter:
    """Splits chunks of bytes into lines, in bounded memory."""

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
        """The current line as far as it has been read; the next chunk starts a new line."""
        line = Line(bytes(self._head), self._tail, self._size)
        self._start()
        return line

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        room = self._limit - len(self._head)
        self._head += piece[:room]
        self._tail = (self._tail + piece[room:])[-_TAIL:]


def parse(line: Line) -> types.JSONRPCMessage:
    """The message on a line. Raises InvalidInput when the line is not one JSON-RPC 2.0 message."""
    text = _decoded(line)
    try:
        message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as refused:
        first = refused.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise InvalidInput(
                f"The message is not JSON: {first.get('ctx', {}).get('error')}.", hint=_FORMAT
            ) from None
        raise InvalidInput("The message is JSON, but not JSON-RPC 2.0.", hint=_FORMAT) from None
    if isinstance(message, types.JSONRPCNotification) and '"id"' in text and "id" in from_json(text):
        # A request with such an id parses as a notification, which would get no answer.
        raise InvalidInput("The id of a request must be a string or a whole number.", hint=_FORMAT)
    return message


def refusal(line: Line, error: InvalidInput) -> types.JSONRPCMessage:
    """The response to a line that cannot be used; it carries the error envelope.

    A tool call gets a failed result, anything else a JSON-RPC error. If the id cannot be read, it is null.
    """
    members = _members(line)
    id = _usable_id(members.get("id", _last_id(line.tail)))
    if id is not None and members.get("method") == "tools/call":
        result = failure(error.envelope()).model_dump(by_alias=True, mode="json", exclude_none=True)
        return types.JSONRPCResponse(jsonrpc="2.0", id=id, result=result)
    code = types.INVALID_REQUEST if members else types.PARSE_ERROR
    data = types.ErrorData(code=code, message=str(error), data=error.envelope())
    return types.JSONRPCError(jsonrpc="2.0", id=id, error=data)


def encode(message: types.JSONRPCMessage) -> bytes:
    """A message as a line of bytes."""
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"


def _decoded(line: Line) -> str:
    if line.size > len(line.head):
        raise InvalidInput(
            f"The message has {line.size:,} bytes; the limit is {MAX_LINE:,}.",
            hint="Shorten it or split it into several messages.",
        )
    try:
        return line.head.decode()
    except UnicodeDecodeError as reason:
        raise InvalidInput(
            f"The message is not UTF-8: byte {reason.start} is invalid.", hint=_FORMAT
        ) from None


def _members(line: Line) -> dict[str, Any]:
    """The members of a broken message that can still be read."""
    text = line.head.decode("utf-8", "replace")
    ways: tuple[Callable[[], Any], ...] = (
        lambda: json.loads(text),  # accepts lone surrogates, which pydantic's parser does not
        lambda: from_json(text, allow_partial=True),
        lambda: from_json(text[:_PREFIX], allow_partial=True),
    )
    for way in ways:
        try:
            members = way()
        except (ValueError, RecursionError):
            continue
        return cast("dict[str, Any]", members) if isinstance(members, dict) else {}
    return {}


def _last_id(tail: bytes) -> Any:
    """The id of a line that was too long, if the id is its last member, where some clients write it."""
    _, key, rest = tail.decode("utf-8", "replace").rpartition('"id":')
    try:
        return json.loads('{"id":' + rest)["id"] if key else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _usable_id(id: Any) -> str | int | None:
    if isinstance(id, str):
        try:
            id.encode()
        except UnicodeEncodeError:  # a lone surrogate, which no response can carry
            return None
        return id
    return id if isinstance(id, int) and not isinstance(id, bool) else None
