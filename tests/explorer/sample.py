"""A server of the sample memory, on a thread of its own, for a browser and for requests."""

import asyncio
import json
import socket
import threading
import uuid
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import httpx2
import uvicorn

from legacymind import files
from legacymind.doors.http.app import build_app
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import bare, think
from tests.wire import raw, text_indexed

HOSTILE: Final = "<img src=x onerror=\"document.title='stolen'\"><script>document.title='stolen'</script>"
"""A text that becomes code wherever it is written as HTML."""

_SESSIONS: Final = "why-tank-2", "lessons"
_ENTITIES: Final = "Apollo 13", "Oxygen tank 2", "Fred W. Haise"

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Served:
    """The server's address, its mind, and what the sample has.

    ``broken`` is a session of four thoughts whose third was changed, ``hostile`` one with a thought that has
    markup. ``asked`` is a thought that recalled others. ``entity`` has facts that ended.
    """

    base: str
    mind: Mind
    session: str
    broken: str
    hostile: str
    asked: str
    entity: str
    _loop: asyncio.AbstractEventLoop

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Run work of the mind on the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    @contextmanager
    def beside(self, **changed: Any) -> Generator[str]:
        """The address of a second server with other settings, which answers what needs no database."""
        app = build_app(Mind(self.mind.settings.changed(**changed), embedder=FakeEmbedder()))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", ws="none"))
        with socket.create_server(("127.0.0.1", 0)) as listening:
            running = asyncio.run_coroutine_threadsafe(server.serve(sockets=[listening]), self._loop)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
            server.should_exit = True
            running.result(30)


@contextmanager
def serving(settings: Settings, *, whole: bool = False) -> Generator[Served]:
    """Serve a part of the sample memory with the deterministic embedder.

    ``whole``: serve all of it with the real model, as pictures show it.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def run(work: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(work, loop).result(240)

    namespace, prefix = ("apollo-13", "") if whole else (f"test-{uuid.uuid4()}", f"{uuid.uuid4().hex[:6]}-")
    mind = Mind(
        settings.changed(namespace=namespace, serve_rate=0), embedder=None if whole else FakeEmbedder()
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        try:
            made = run(_fill(mind, prefix, whole=whole))
            config = uvicorn.Config(build_app(mind), log_level="warning", lifespan="on", ws="none")
            server = uvicorn.Server(config)
            running = asyncio.run_coroutine_threadsafe(server.serve(sockets=[listening]), loop)
            base = f"http://127.0.0.1:{listening.getsockname()[1]}"
            run(_ready(server, base))
            yield Served(base, mind, f"{prefix}{_SESSIONS[0]}", *made, loop)
            server.should_exit = True
            running.result(30)
        finally:
            run(mind.close())
            loop.call_soon_threadsafe(loop.stop)
            thread.join(30)
            loop.close()


async def _ready(server: uvicorn.Server, base: str) -> None:
    """Wait until the server has planned its statements, which would be taken for those of a request."""
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.01)
    async with httpx2.AsyncClient() as client:
        while (await client.get(f"{base}/readyz", timeout=120)).status_code != 200:  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def _fill(mind: Mind, prefix: str, *, whole: bool) -> tuple[str, str, str, str]:
    """Store the sample; returns the broken and the hostile session, the thought that recalls, the entity."""
    await mind.graph.ready()
    wanted = {f"{prefix}{name}" for name in _SESSIONS}
    for name in ("knowledge", "thoughts"):
        lines = files.text("seed", f"{name}.jsonl").replace("a13-", prefix).splitlines()
        items = [json.loads(line) for line in lines]
        kept = [
            line
            for line, item in zip(lines, items, strict=True)
            if whole
            or item["kind"] == "header"
            or item.get("session_id") in wanted
            or item.get("name") in _ENTITIES
            or item.get("entity") in _ENTITIES
        ]
        await mind.import_lines(kept)
    hostile = f"{prefix}markup"
    await think(mind, f"Reflection: the limit was right. {HOSTILE}", session_id=hostile, author="atlas")
    asked = await think(
        mind,
        "Tank pressure rose for over a minute and no alarm fired, because another warning was still "
        "standing. Is this failed alarm a bug in how warnings are latched?",
        session_id=f"{prefix}review",
        author="ines",
        injection_scale=4,
    )
    broken = f"{prefix}ratings"
    texts = (
        "Question: why did the heaters' switches weld shut? The tank was heated for eight hours on the pad.",
        "Finding: the switches were rated for 28 volts, and the ground supply delivered 65.",
        "Decision: check each changed voltage against the ratings of all parts behind it.",
        "Lesson: nobody compared the ratings of the switches again when the heaters got a higher voltage.",
    )
    ids = [
        bare(await think(mind, text, session_id=broken, author="atlas", injection_scale=4)) for text in texts
    ]
    await raw(
        mind,
        "MATCH (t:Thought {id: $id}) SET t.content = $forged",
        id=ids[2],
        forged=texts[2].replace("all parts", "some parts"),
    )
    made = await mind.operations["remember"].call(
        {
            "entities": [
                {"name": "Pump 4", "entity_type": "component", "description": "Feeds the cooling loop."}
            ],
            "observations": [
                {
                    "entity": "Pump 4",
                    "content": "It stops at 11 mm/s.",
                    "valid_from": "2026-01-01",
                    "valid_to": "2026-06-01",
                },
                {
                    "entity": "Pump 4",
                    "content": "It stops at 7 mm/s.",
                    "valid_from": "2026-06-01",
                    "source": "review",
                    "learned_from": ids[2],
                },
            ],
            "relations": [
                {
                    "source_entity": "Pump 4",
                    "type": "COMPARED_WITH",
                    "target_entity": "Apollo 13",
                    "valid_from": "2026-06-01",
                }
            ],
        }
    )
    await text_indexed(mind)
    return broken, hostile, bare(asked), made.entities[0].id
