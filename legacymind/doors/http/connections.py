"""Connections of the server: how many it holds, and how long one may be silent.

A connection without a request is idle: nothing came yet, only a part of the headers, or the last response is
complete. Beyond a limit, the connection that has been idle longest is closed, so that silent clients never
keep a new one out. WebSockets and streams count, and are never closed for others.
"""

import asyncio
import contextlib
import errno
import json
import logging
import socket
import time
from collections.abc import Generator
from functools import cache
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from legacymind.errors import Busy

try:
    import resource
except ImportError:  # Windows, where sockets are no file descriptors
    resource = None

HEADERS: Final = 10.0
"""Seconds from the connection, or from the first byte of a later request, to the end of the headers."""

_DESCRIPTORS: Final = 8192
"""File descriptors that the server asks for."""

_EVERY: Final = 60.0
"""Seconds between two lines of the log about connections that cannot be accepted."""

_log = logging.getLogger(__name__)


@cache
def most_connections() -> int:
    """The connections that the server holds: half of the descriptors, since the database needs some too."""
    if resource is None:
        return _DESCRIPTORS // 2
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # macOS has a limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return min(soft, _DESCRIPTORS) // 2


def backlog() -> int:
    """Connections that may wait to be accepted. They are accepted at once, before any is closed for them."""
    return min(most_connections() // 4, 128)


class Connection(AutoHTTPProtocol):  # pyright: ignore[reportGeneralTypeIssues, reportUntypedBaseClass]
    """uvicorn's HTTP on a connection that is closed when it is idle too long, and sends each packet at once.

    An answer is two packets, and the second one would wait 40 ms for the acknowledgement of the first, which
    clients delay. asyncio prevents it only on sockets that name their protocol, as those of uvicorn do not.
    One address may have half of the connections.
    """

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    connections: set[Any]
    client: tuple[str, int] | None
    cycle: Any
    _expiry: asyncio.TimerHandle | None = None
    idle_since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with a new connection."""
        connection: socket.socket = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        self._await_headers()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        if not self.idle:
            self._stop_waiting()
        elif self._expiry is None:
            self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def idle(self) -> bool:
        """Whether no request is being answered, and the connection is no WebSocket."""
        return self in self.connections and (self.cycle is None or self.cycle.response_complete)

    def _await_headers(self) -> None:
        self.idle_since = time.monotonic()
        self._expiry = self.loop.call_later(HEADERS, self._expire)

    def _stop_waiting(self) -> None:
        self.idle_since = time.monotonic()
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None

    def _expire(self) -> None:
        self._expiry = None
        if self.idle:
            self.transport.close()

    def _make_room(self) -> None:
        """Close the connection that was idle longest, or refuse this one, if there are too many."""
        most = most_connections()
        if len(self.connections) <= most // 2:
            return
        crowd = [one for one in self.connections if not one.transport.is_closing()]
        alike = [one for one in crowd if one.client and self.client and one.client[0] == self.client[0]]
        if len(alike) > most // 2:
            crowd = alike
        elif len(crowd) <= most:
            return
        idle = [one for one in crowd if one is not self and isinstance(one, Connection) and one.idle]
        if idle:
            min(idle, key=lambda one: one.idle_since).transport.close()
        else:
            self.transport.write(_refusal())
            self.transport.close()


@contextlib.contextmanager
def full_server_logged_once() -> Generator[None]:
    """Log once a minute, and not for each connection, that the process has no descriptor for a new one."""
    loop = asyncio.get_running_loop()
    before, last = loop.get_exception_handler(), -_EVERY

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal last
        raised = context.get("exception")
        if "socket" not in context or getattr(raised, "errno", None) not in (errno.EMFILE, errno.ENFILE):
            (before or type(loop).default_exception_handler)(loop, context)
        elif time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            _log.error("No new connection can be accepted: %s. Raise the limit (ulimit -n).", raised)

    loop.set_exception_handler(handle)
    try:
        yield
    finally:
        loop.set_exception_handler(before)


def _refusal() -> bytes:
    error = Busy("The server has too many connections.", hint="Wait 5 s and connect again.", retry_after=5)
    body = json.dumps(error.envelope()).encode()
    head = (
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n"
        f"retry-after: 5\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
