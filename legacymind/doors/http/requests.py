"""The id of each request, and its line in the log."""

import json
import logging
import re
import time
import traceback
import uuid
from collections.abc import Collection
from contextvars import ContextVar
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from legacymind.doors.access import Access

_HEADER: Final = "x-request-id"
_USABLE: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")

_id: ContextVar[str | None] = ContextVar("request_id", default=None)

_log = logging.getLogger(__name__)


def request_id() -> str | None:
    """The id of the request that is being answered."""
    return _id.get()


class Requests:
    """ASGI middleware that gives each request an id, which the response has too, and logs the request.

    ``/mcp/`` is ``/mcp``.

    The id is that of the header X-Request-ID, or a new one. ``paths`` are logged; others may be private.
    """

    def __init__(self, app: ASGIApp, paths: Collection[str]) -> None:
        self._app = app
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] == "/mcp/":  # Many clients are configured so. Later middleware compares the path.
            scope = {**scope, "path": "/mcp", "raw_path": b"/mcp"}
        sent = Headers(scope=scope).get(_HEADER, "")
        id = sent if _USABLE.fullmatch(sent) else uuid.uuid4().hex
        status, begun = 0, time.perf_counter()

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[_HEADER] = id
            await send(message)

        token = _id.set(id)
        try:
            await self._app(scope, receive, answer)
        finally:
            access = Access.noted(scope)
            _log.info(
                "Request",
                extra={
                    "request": {
                        "method": scope["method"],
                        "path": scope["path"] if scope["path"] in self._paths else "other",
                        "status": status,
                        "seconds": round(time.perf_counter() - begun, 4),
                        "caller": access and access.caller.name,
                    }
                },
            )
            _id.reset(token)


class JsonLines(logging.Formatter):
    """One JSON object for each record, with the id of the request.

    Of an exception it has the type and the places in the code, but not the message, which may be private.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (id := _id.get()) is not None:
            line["request_id"] = id
        line |= getattr(record, "request", {})
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = record.exc_info[0].__name__
            line["traceback"] = traceback.format_tb(record.exc_info[2])
        return json.dumps(line, ensure_ascii=False)


def log_as_json() -> None:
    """Write all logs of this process to standard error as JSON, with a line for each request."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    _log.setLevel(logging.INFO)
