"""`legacymind serve` as a user's, for benchmarks."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx2
import psutil


@asynccontextmanager
async def serving(**settings: str) -> AsyncGenerator[tuple[psutil.Process, str]]:
    """A server with these variables besides those of the environment: its process and address, once ready.

    Raises RuntimeError with the end of its log if it does not start.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = shutil.which("legacymind", path=str(Path(sys.executable).parent)) or "legacymind"
    environment = os.environ | settings | {"LEGACYMIND_SERVE_PORT": str(port)}
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen([command, "serve"], env=environment, stderr=log)  # noqa: ASYNC220
        try:
            async with httpx2.AsyncClient(timeout=10) as client:
                while server.poll() is None:
                    with suppress(httpx2.HTTPError, ValueError):
                        if (await client.get(f"{address}/readyz")).json()["ok"]:
                            break
                    await asyncio.sleep(1)
                else:
                    log.seek(0)
                    end = log.read()[-2000:].decode(errors="replace")
                    raise RuntimeError(f"legacymind serve ended with exit code {server.returncode}:\n{end}")
            yield psutil.Process(server.pid), address
        finally:
            server.terminate()
            try:
                server.wait(60)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
