"""Runs the asynchronous Mind under frameworks that call synchronously or from several event loops."""

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

from legacymind.errors import RequestRefused

T = TypeVar("T")


class HomeLoop:
    """Runs the calls of one Mind in one event loop, as a Mind requires.

    It is the loop that runs where the HomeLoop is made, else a loop in a thread of the adapters.
    """

    def __init__(self) -> None:
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = _background()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a call, for synchronous code. Raises RequestRefused in the loop itself."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if here is self._loop:
            work.close()
            raise RequestRefused(
                "A synchronous call would block the event loop in which this Mind runs.",
                effect="Nothing was stored.",
                hint="Await the asynchronous method, or make the adapter outside of the event loop.",
            )
        return self._submit(work).result()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a call, for asynchronous code in any loop."""
        if asyncio.get_running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(self._submit(work))

    def _submit(self, work: Coroutine[Any, Any, T]) -> Any:
        if not self._loop.is_running():
            work.close()
            raise RequestRefused(
                "The event loop in which this Mind runs has ended.",
                effect="Nothing was stored.",
                hint="Make the Mind and its adapter in the loop that uses them, or outside of any loop.",
            )
        return asyncio.run_coroutine_threadsafe(work, self._loop)


@cache
def _background() -> asyncio.AbstractEventLoop:
    """The loop of the adapters' thread, which ends with the process."""
    loop = asyncio.new_event_loop()
    started = threading.Event()
    loop.call_soon(started.set)
    threading.Thread(target=loop.run_forever, name="legacymind-adapters", daemon=True).start()
    started.wait()
    return loop
