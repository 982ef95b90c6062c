"""Installs the wheel with pipx, as a user does, and speaks to `legacymind mcp`.

Run ``python -m tests.clients.with_pipx``. It installs pipx and all dependencies into a temporary folder.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_FRAMES: Final = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "pipx", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
)


def run(*command: str | Path, env: dict[str, str] | None = None, sent: str = "") -> str:
    """Run a command, and return its output."""
    done = subprocess.run(
        command,
        env=env,
        input=sent,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=900,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def tools(program: Path, env: dict[str, str]) -> list[str]:
    """The tools that the program lists over MCP."""
    sent = "".join(json.dumps({"jsonrpc": "2.0", **frame}) + "\n" for frame in _FRAMES)
    with subprocess.Popen(
        [program, "mcp"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(sent)
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.stdin.close()
    return [tool["name"] for tool in answers[1]["result"]["tools"]]


def main() -> None:
    """Build the wheel, install it, and use it."""
    with tempfile.TemporaryDirectory(prefix="legacymind-pipx-") as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        scripts = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
        run(scripts / "pip", "install", "-q", "pipx")
        run(scripts / "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, _ROOT)
        (wheel,) = folder.glob("legacymind-*.whl")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LEGACYMIND_")}
        env = kept | {
            "HOME": str(folder),
            "PIPX_HOME": str(folder / "pipx"),
            "PIPX_BIN_DIR": str(folder / "bin"),
            "LEGACYMIND_HOME": str(folder / "home"),
        }
        run(scripts / "pipx", "install", "--python", sys.executable, wheel, env=env)
        program = folder / "bin" / "legacymind"
        print(run(program, "--version", env=env).strip())
        print(f"MCP tools: {', '.join(tools(program, env))}")
        run(program, "install", "cursor", env=env)
        settings = json.loads((folder / ".cursor" / "mcp.json").read_text(encoding="utf-8"))
        print(f"Cursor starts: {settings['mcpServers']['legacymind']['command']}")
        shown = run(program, "hook", "session-over", env=env, sent="{}")
        assert shown == ""
        run(scripts / "pipx", "uninstall", "legacymind", env=env)
        assert not program.exists()


if __name__ == "__main__":
    main()
