"""A network between a client and a server: a proxy that delivers everything later."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


@asynccontextmanager
async def far(uri: str, seconds: float) -> AsyncGenerator[str]:
    """The address of the proxy, which needs ``seconds`` in each direction."""
    place = urlsplit(uri)
    now = asyncio.get_running_loop().time

    async def deliver(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def receive() -> None:
            while data := await reader.read(65536):
                sent.put_nowait((now() + seconds, data))
            sent.put_nowait((now(), b""))

        receiving = asyncio.create_task(receive())
        try:
            while (item := await sent.get())[1]:
                await asyncio.sleep(item[0] - now())
                writer.write(item[1])
        finally:
            receiving.cancel()
            writer.close()
            await asyncio.gather(receiving, writer.wait_closed(), return_exceptions=True)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(place.hostname, place.port)
        await asyncio.gather(deliver(reader, back), deliver(there, writer), return_exceptions=True)

    server = await asyncio.start_server(connect, "127.0.0.1", 0)
    async with server:
        yield f"bolt://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await asyncio.sleep(2 * seconds)  # the client has said goodbye
