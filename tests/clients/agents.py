"""Runs Claude Code, Codex and Gemini CLI with LegacyMind installed; a local server acts as the model.

Run ``python -m tests.clients.agents``, or name some of ``claude-code``, ``codex`` and ``gemini``. It needs
npm. The clients are installed into ``--packages FOLDER``, a temporary one if it is left out. Each client gets
a home of its own; all share a managed engine in a temporary home.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from legacymind.settings import load_settings
from tests.clients.fake_models import Answer, Asked, FakeModels, Say, Use

PACKAGES: Final = ("@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli")

TASK: Final = "Fix the invoices migration"
RESULT: Final = "The index name was taken; I renamed it."
STANDING: Final = "Always answer in German."
KNOWN: Final = "The invoices migration fails while the index ix_due has its old name."
RECALLED: Final = "LegacyMind recalls for this prompt"
FAILING: Final = "cat /nonexistent/invoices.sql"
ERROR: Final = "/nonexistent/invoices.sql: No such file or directory"
THOUGHT: Final = "The invoices migration names an index that exists"

_PATIENCE: Final = 300.0
"""Seconds for a command, and for what a hook stores in the background."""

_SESSIONS: Final = 3
"""The most sessions of a client: on a busy machine, the context may come too late for the first one."""

_SHELLS: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "Bash": lambda command: {"command": command, "description": "Read it"},
    "exec_command": lambda command: {"cmd": command},
    "shell_command": lambda command: {"command": command},
    "run_shell_command": lambda command: {"command": command},
}
"""The clients' tools that run commands, and their arguments."""

_SESSION: Final = re.compile(r'session_id \\?"(agent-[^"\\]+)')


def answer(asked: Asked) -> Answer:
    """Think, run a command that fails, and end: the next step after the results so far."""
    done = [result for result in asked.results if "still starting" not in result]
    if len(done) < len(asked.results):
        time.sleep(1)
    if len(done) > 1:
        return Say(RESULT)
    if done:
        shell = next(tool for tool in asked.tools if tool in _SHELLS)
        return Use(shell, _SHELLS[shell](FAILING))
    think = next((tool for tool in asked.tools if tool.endswith("legacymind_think")), None)
    if think is None:
        search = "tool_search" in asked.tools  # Codex shows tools of MCP servers after a search
        return Use("tool_search", {"query": "legacymind think"}) if search else Say("There is no such tool.")
    session = _SESSION.search(asked.text)
    return Use(think, {"content": THOUGHT} | ({"session_id": session[1]} if session else {}))


@dataclass(frozen=True, slots=True)
class Trial:
    """A client's folder, the environment of its commands, and the address of the models."""

    name: str
    folder: Path
    env: Mapping[str, str]
    address: str

    def run(self, *command: str, fails: bool = False) -> str:
        """Run a command in the project, and return its output and its messages. Exits if it fails."""
        done = subprocess.run(
            command,
            cwd=self.project,
            env=self.env,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_PATIENCE,
        )
        if done.returncode and not fails:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def thoughts(self) -> list[dict[str, Any]]:
        """All thoughts in the client's namespace."""
        lines = [json.loads(line) for line in self.run("legacymind", "export").splitlines()]
        return [line for line in lines if line["kind"] == "thought"]

    @property
    def project(self) -> Path:
        """The working folder."""
        return self.folder / "payments-api"


def claude_code(trial: Trial) -> Iterator[str]:
    """List the servers, then work on the task. Shells and our tools need no confirmation."""
    yield trial.run("claude", "mcp", "list")
    trial.run("claude", "-p", TASK, "--allowedTools", "mcp__legacymind", "Bash")


def codex(trial: Trial) -> Iterator[str]:
    """As above. The hooks run without the trust that a user gives them with `/hooks`."""
    yield trial.run("codex", "mcp", "list")
    model = {
        "name": "fake",
        "base_url": f"{trial.address}/v1",
        "wire_api": "responses",
        "env_key": "FAKE_KEY",
    }
    provider = [f'model_providers.fake.{name}="{value}"' for name, value in model.items()]
    trial.run(
        "codex",
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "--dangerously-bypass-hook-trust",
        *("--model", "gpt-5.5"),  # one that it knows; another gets no tools of MCP servers
        *(
            part
            for value in ('model_provider="fake"', "analytics.enabled=false", *provider)
            for part in ("-c", value)
        ),
        TASK,
    )


def gemini(trial: Trial) -> Iterator[str]:
    """As above."""
    yield trial.run("gemini", "mcp", "list")
    trial.run("gemini", "--yolo", "--model", "gemini-2.5-pro", "--prompt", TASK)


@dataclass(frozen=True, slots=True)
class Agent:
    """How a client is run; ``before`` are settings that exist before LegacyMind is installed.

    ``listed`` is what it says of the server when that is in its list.
    """

    program: str
    work: Callable[[Trial], Iterator[str]]
    listed: str
    before: Mapping[str, str] = field(default_factory=dict[str, str])


AGENTS: Final = {
    "claude-code": Agent("claude", claude_code, "Connected"),
    "codex": Agent("codex", codex, "enabled"),
    "gemini": Agent(
        "gemini",
        gemini,
        "Connected",
        {
            ".gemini/settings.json": '{"security": {"auth": {"selectedType": "gemini-api-key"}}, '
            '"privacy": {"usageStatisticsEnabled": false}}'
        },
    ),
}


def checks(trial: Trial, listed: str, sessions: list[list[Asked]]) -> Iterator[tuple[str, bool]]:
    """What is to be seen after the sessions: in the client's requests, and in the memory."""
    agent = AGENTS[trial.name]
    asked = sessions[-1] or [Asked([], [], "")]
    results = asked[-1].results
    yield "the MCP server is listed", "legacymind" in listed and agent.listed in listed
    yield "the session begins with its context", STANDING in asked[0].text
    recalled = next((each.text for each in asked if RECALLED in each.text), "")
    yield "the prompt gets what it brings to mind", KNOWN in recalled.partition(RECALLED)[2]
    yield "a tool call is answered", any("thought_id" in result for result in results)
    yield "the command failed", any(ERROR in result for result in results)
    expected = {
        "the tool call's thought is stored": (THOUGHT, None),
        "the end of the session is stored": (f"Task: {TASK}\nResult: {RESULT}", "conclude"),
        "the failure is stored as stuck": (f"failed: {FAILING}", "stuck"),
    }
    if trial.name == "codex":  # its hooks get no exit code
        del expected["the failure is stored as stuck"]
    found = dict[str, list[dict[str, Any]]]()
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        stored = trial.thoughts()
        found = {
            name: [each for each in stored if text in each["content"] and mode in (None, each["mode"])]
            for name, (text, mode) in expected.items()
        }
        if all(len(each) == len(sessions) for each in found.values()):
            break
        time.sleep(2)
    for name, each in found.items():
        yield name, len(each) == len(sessions)
    ids = {thought["session_id"] for each in found.values() for thought in each}
    yield "all of a session is in one chain", len(ids) == len(sessions) and all("agent-" in id for id in ids)


def install_clients(folder: Path) -> Path:
    """Install the clients, and return the folder of their programs."""
    folder.mkdir(parents=True, exist_ok=True)
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise SystemExit("This needs Node.js with npm.")
    if not (folder / "node_modules").exists():
        options = ("--silent", "--no-audit", "--no-fund", "--prefix", str(folder))
        subprocess.run([npm, "install", *options, *PACKAGES], check=True)
        # Newer versions of npm do not run the scripts of packages. This one links the program.
        own = folder / "node_modules" / "@anthropic-ai" / "claude-code"
        subprocess.run([node, "install.cjs"], cwd=own, check=True)
    return folder / "node_modules" / ".bin"


def environment(folder: Path, programs: Path) -> dict[str, str]:
    """The environment of every command, without variables of the user's own that clients or we would read."""
    kept = {name: os.environ[name] for name in ("LANG", "TERM", "TMPDIR") if name in os.environ}
    path = [str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]
    return kept | {
        "PATH": os.pathsep.join(path),
        "HOME": str(folder),
        "LEGACYMIND_HOME": str(folder / "engine"),
        "LEGACYMIND_CACHE": load_settings().cache or str(Path.home() / ".cache" / "legacymind"),
        "LEGACYMIND_HEAP_MB": "1024",
        "LEGACYMIND_QUERY_TIMEOUT": "120",
    }


def attempt(name: str, folder: Path, env: Mapping[str, str]) -> bool:
    """Install LegacyMind into a client, work in it, and print what works; whether all does."""
    agent = AGENTS[name]
    with FakeModels(answer) as models:
        own = {
            "HOME": str(folder),
            "LEGACYMIND_NAMESPACE": f"client-{name}",
            "ANTHROPIC_BASE_URL": models.address,
            "ANTHROPIC_API_KEY": "fake",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "FAKE_KEY": "fake",
            "GEMINI_API_KEY": "fake",
            "GOOGLE_GEMINI_BASE_URL": models.address,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        trial = Trial(name, folder, {**env, **own}, models.address)
        trial.project.mkdir(parents=True)
        for path, text in agent.before.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        print(f"{name}: {trial.run(agent.program, '--version', fails=True).strip()}", flush=True)
        trial.run("legacymind", "install", name)
        for text in (STANDING, KNOWN):
            trial.run("legacymind", "think", text, "--session", "before")
        trial.run("legacymind", "context", TASK)  # its statements are planned now
        listed, sessions, passed = "", list[list[Asked]](), True
        while len(sessions) < _SESSIONS and not all(
            any(text in each.text for each in models.asked) for text in (STANDING, RECALLED)
        ):
            models.asked = []
            (listed,) = agent.work(trial)
            sessions.append(models.asked)
        for what, holds in checks(trial, listed, sessions):
            print(f"  {'yes' if holds else 'NO '}  {what}", flush=True)
            passed = passed and holds
        if not passed:
            (folder / "asked.json").write_text(
                json.dumps([[asked.tools, asked.results, asked.text] for asked in models.asked], indent=1),
                encoding="utf-8",
            )
            print(f"  See {folder}; the client listed:\n{listed}")
    return passed


def main() -> None:
    """Try the clients, and exit with 1 if something does not work in one; its folder is kept then."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=f"any of {', '.join(AGENTS)}")
    parser.add_argument("--packages", type=Path, help="folder for npm's packages, used again if it has them")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="legacymind-agents-"))
    programs = install_clients((given.packages or folder / "npm").resolve())
    env = environment(folder, programs)
    command = Path(sys.executable).parent / "legacymind"
    passed = False
    try:
        subprocess.run([command, "up"], env=env, check=True, stdout=subprocess.DEVNULL)
        tried = [attempt(name, folder / name, env) for name in given.clients or AGENTS]
        passed = all(tried)
    finally:
        subprocess.run([command, "down"], env=env, check=False, stdout=subprocess.DEVNULL)
    if not passed:
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
