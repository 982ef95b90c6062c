"""Answers hooks inside `legacymind mcp`, which the client runs anyway with a warm memory.

A prompt gets its memories, and is stored after the answer; the other events are stored before it. Only the
user can reach it, by a socket in the home. Python has none on Windows, where prompts get no memories, and
other processes store. `prompt` is the other side.
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
    from legacymind.doors.cli.hooks.input import HookInput
    from legacymind.mind import Mind

_LARGEST: Final = 1024 * 1024
_SESSIONS: Final = 100
"""Sessions whose last prompt is known."""

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
        await helper.stop()


class Helper:
    """Listens for hooks, answers prompts with what they bring to mind, and stores."""

    def __init__(self, settings: Settings, mind: Callable[[], Awaitable["Mind"]]) -> None:
        self._settings = settings
        self._mind = mind
        self.file = settings.home_path.resolve().joinpath(*prompt.FOLDER, f"{os.getpid()}.sock")
        self._server: asyncio.Server | None = None
        self._storing: set[asyncio.Task[None]] = set()
        self._last: dict[str, str] = {}

    async def start(self) -> None:
        """Begin to listen. Raises OSError."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        await asyncio.to_thread(_remove_ended, self.file.parent)
        self._server = await asyncio.start_unix_server(self._serve, self.file)
        self.file.chmod(0o600)  # the folder is the user's only, too

    async def stop(self) -> None:
        """Stop listening, once the last prompts are stored."""
        if self._server is not None:
            self._server.close()
            self.file.unlink(missing_ok=True)
        await self.stored()

    async def stored(self) -> None:
        """Wait until the last prompts are stored."""
        if self._storing:
            await asyncio.wait(self._storing, timeout=prompt.LIMIT)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard: HookInput | None = None
        event = ""
        try:
            async with asyncio.timeout(prompt.ANSWER):
                sent = await reader.read(_LARGEST)
                while more := await reader.read(_LARGEST):
                    sent = (sent + more)[:_LARGEST]
                request = json.loads(sent)
                if not self._is_ours(request):
                    answer: dict[str, Any] = {"other": True}
                else:
                    from legacymind.doors.cli.hooks.input import read

                    event, heard = request["event"], read(request["input"])
                    answer = {"text": await self._answer(event, heard)}
        except (Exception, asyncio.CancelledError) as reason:  # the client goes on
            late = f"no answer within {prompt.ANSWER:g} s"
            answer = {"problem": " ".join(str(reason).split())[:500] or late}
            _log.info("A hook got no answer: %r", reason)
        with contextlib.suppress(OSError):  # the hook has given up
            writer.write(json.dumps(answer).encode())
            await writer.drain()
        writer.close()
        if heard is not None and event == "prompt" and self._is_new(heard):
            storing = asyncio.create_task(self._store(heard))
            self._storing.add(storing)
            storing.add_done_callback(self._storing.discard)

    def _is_ours(self, request: dict[str, Any]) -> bool:
        own, default = self._settings, Settings()
        asked = (request["namespace"] or default.namespace, request["neo4j_uri"] or default.neo4j_uri)
        return asked == (own.namespace, own.neo4j_uri)

    async def _answer(self, event: str, told: "HookInput") -> str:
        """What the hook prints."""
        from legacymind.doors.cli.hooks.output import recalled
        from legacymind.doors.cli.hooks.storing import store

        mind = await self._mind()
        if event != "prompt":
            await store(mind, event, told)
            return ""
        text = await recalled(mind, told)
        return prompt.output(dict(told.members), text) if text else ""

    def _is_new(self, told: "HookInput") -> bool:
        """Whether it is not the last prompt of its session again: two clients' hooks may send it."""
        words = told.members.get("prompt", "")
        if self._last.pop(told.session, None) == words:
            self._last[told.session] = words
            return False
        self._last[told.session] = words
        if len(self._last) > _SESSIONS:
            del self._last[next(iter(self._last))]
        return True

    async def _store(self, told: "HookInput") -> None:
        from legacymind.doors.cli.hooks.storing import store

        try:
            await store(await self._mind(), "prompt", told)
        except Exception as reason:  # the hook has ended
            prompt.note(self._settings.home_path, f"a prompt was not stored: {reason}")


def _remove_ended(folder: Path) -> None:
    """Remove the files of processes that have ended without doing so."""
    import psutil

    for file in folder.iterdir():
        if not (file.stem.isdigit() and psutil.pid_exists(int(file.stem))):
            with contextlib.suppress(OSError):
                file.unlink()
