"""LegacyMind and its libraries contact nothing but the database, and leave no files in the user's home."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from legacymind.settings import load_settings

PROGRAM = """
import asyncio, uuid
from httpx2 import ASGITransport, AsyncClient
from mcp import Client
from legacymind import Mind
from legacymind.doors.http.app import build_app
from tests.agents import build_server

async def main():
    async with Mind(session_id=uuid.uuid4().hex) as mind:
        await mind.think("The telemetry of the library is off")
        assert (await mind.search("telemetry")).hits
        async with Client(build_server(mind)) as agent:
            answer = await agent.call_tool("legacymind_search", {"query": "telemetry"})
            assert not answer.is_error
        async with AsyncClient(transport=ASGITransport(build_app(mind)), base_url="http://localhost") as ui:
            answer = await ui.post("/graphql", json={"query": "{ search(query: \\"telemetry\\") { count } }"})
            assert "errors" not in answer.json(), answer.text

asyncio.run(main())
"""
CONNECTION = re.compile(r"(?:connect|sendto)\(.*\{sa_family=(AF_INET6?), .*?htons\((\d+)\).*?\"([^\"]+)\"")


def test_no_door_connects_to_anything_but_the_database(real_env: dict[str, str], tmp_path: Path) -> None:
    """Without strace, the connections are not compared, but the files in the home are."""
    home, trace = tmp_path / "home", tmp_path / "trace"
    home.mkdir()
    names = ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME")
    env = {name: value for name, value in real_env.items() if name not in names}
    env |= {"HOME": str(home), "LEGACYMIND_CACHE": str(load_settings(real_env).cache_path)}
    strace = ["strace", "--seccomp-bpf", "-f", "-qq", "-s", "128", "-e", "trace=connect,sendto"]
    strace += ["-o", str(trace)]
    traced = shutil.which("strace") is not None
    command = [*(strace if traced else []), sys.executable, "-c", PROGRAM]
    subprocess.run(command, env=env, check=True, timeout=300)
    assert [path.relative_to(home) for path in home.rglob("*")] == []
    if traced:
        contacts = set(CONNECTION.findall(trace.read_text(encoding="utf-8", errors="replace")))
        assert len(contacts) == 1, contacts
        ((family, _, address),) = contacts
        assert (family, address) == ("AF_INET", "127.0.0.1")
