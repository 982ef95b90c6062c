"""The end of the process completes subscriptions before the server closes its connections."""

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def completing(complete: Callable[[], Awaitable[None]]) -> Generator[None]:
    """Let the first signal that ends the process do ``complete`` before the server handles it.

    Only the main thread receives signals; in any other nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    ending: list[asyncio.Task[None]] = []

    def chained(before: Callable[[int, FrameType | None], object]) -> Callable[[int, FrameType | None], None]:
        async def end(number: int) -> None:
            try:
                await complete()
            finally:
                before(number, None)

        def begin(number: int) -> None:
            if ending:
                before(number, None)
            else:
                ending.append(loop.create_task(end(number)))

        def handle(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(begin, number)

        return handle

    replaced = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, before in replaced.items():
        if callable(before):
            signal.signal(number, chained(before))
    try:
        yield
    finally:
        for number, before in replaced.items():
            signal.signal(number, before)
