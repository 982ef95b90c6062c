"""Answers the hook of a prompt inside `legacymind mcp`, which the client runs anyway with a warm memory.

Only the user can reach it, by a socket in the home. Python has none on Windows, where prompts get no
memories. `prompt` is the other side.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from legacymind.doors.cli.hooks import prompt
from legacymind.settings import Settings

if TYPE_CHECKING:  # imported when the first prompt comes: the MCP handshake must not wait for it
    from legacymind.mind import Mind

_LARGEST: Final = 1024 * 1024
_log = logging.getLogger(__name__)


@asynccontextmanager
async def answering(settings: Settings, mind: Callable[[], Awaitable["Mind"]]) -> AsyncGenerator[None]:
    """Answer prompts meanwhile. A problem with the socket is a line in the log: MCP works without it."""
    if sys.platform == "win32":
        yield
        return
    helper = Helper(settings, mind)
    try:
        await helper.start()
    except OSError as reason:
        _log.warning("Prompts get no memories from this process: %s", reason)
    try:
        yield
    finally:
        helper.stop()


class Helper:
    """Listens for hooks of prompts, and answers them with what they bring to mind."""

    def __init__(self, settings: Settings, mind: Callable[[], Awaitable["Mind"]]) -> None:
        self._settings = settings
        self._mind = mind
        self.file = settings.home_path.resolve().joinpath(*prompt.FOLDER, f"{os.getpid()}.sock")
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Begin to listen. Raises OSError."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        await asyncio.to_thread(_remove_ended, self.file.parent)
        self._server = await asyncio.start_unix_server(self._serve, self.file)
        self.file.chmod(0o600)  # the folder is the user's only, too

    def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            self.file.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(prompt.LIMIT):
                sent = await reader.read(_LARGEST)
                while more := await reader.read(_LARGEST):
                    sent = (sent + more)[:_LARGEST]
                writer.write(await self._answer(json.loads(sent)))
                await writer.drain()
        except (Exception, asyncio.CancelledError) as reason:  # the prompt goes on without memories
            _log.info("A prompt got no memories: %r", reason)
        finally:
            writer.close()

    async def _answer(self, request: dict[str, Any]) -> bytes:
        own, default = self._settings, Settings()
        asked = (request["namespace"] or default.namespace, request["neo4j_uri"] or default.neo4j_uri)
        if asked != (own.namespace, own.neo4j_uri):
            return prompt.OTHERS
        from legacymind.doors.cli.hooks import input as hook_input
        from legacymind.doors.cli.hooks.output import output, recalled

        told = hook_input.read(request["input"])
        mind = await self._mind()
        async with asyncio.timeout(prompt.ANSWER):
            text = await recalled(mind, told)
        return output(told, text).encode() if text else b""


def _remove_ended(folder: Path) -> None:
    """Remove the files of processes that have ended without doing so."""
    import psutil

    for file in folder.iterdir():
        if not (file.stem.isdigit() and psutil.pid_exists(int(file.stem))):
            with contextlib.suppress(OSError):
                file.unlink()
