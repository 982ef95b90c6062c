"""A day of 40 prompts of a coding agent through its hooks: `python -m bench.hooks`.

Runs `legacymind mcp`, and the hooks as Claude Code does, in a namespace that is deleted at the end. Prints
what was kept of 12 stated preferences, which failed commands have a solution, how many prompts got no answer
and whether they said so, and how long the hook of a prompt took. Exits with 1 unless all preferences were
kept, the one command that was mended is solved and no other, and no failure was silent. `--load N` keeps N
processes busy meanwhile.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mcp import Client, StdioServerParameters

from legacymind.mind import Mind
from legacymind.settings import load_settings

PREFERENCES: Final = (
    "Use pnpm in this repository, never npm.", "I want commit messages in the imperative.",
    "Answer me in German when I write German.", "Never push to the branch release.",
    "The staging database is at 10.0.4.7, port 5433.", "Put new tests beside the code they test.",
    "Please keep functions under thirty lines.", "Ask me before you add a dependency.",
    "Our money values are integers in cents.", "We deploy on Tuesdays, after the standup.",
    "Log messages must not have email addresses.", "Name feature flags after their ticket.",
)  # fmt: skip
ABOUT: Final = (
    "Which package manager does this repository use?", "How do I write commit messages?",
    "In which language do you answer me?", "May you push to the branch release?",
    "Where is the staging database?", "Where do new tests belong?",
    "How long may functions be?", "May you add a dependency?",
    "How do we store money values?", "On which day do we deploy?",
    "What must log messages not have?", "How are feature flags named?",
)  # fmt: skip
WORK: Final = ("Build the shop", "Mend the build", "Write a poem on kettles", "Commit that") * 4
FAILS: Final = "npm run build"
MENDED: Final = "dist belonged to root; I own it now."
NEVER: Final = "grep -rn nothing src"


@dataclass(slots=True)
class Day:
    """What happened. ``asked`` are prompts about a preference, with what came for each."""

    env: dict[str, str]
    folder: Path
    seconds: list[float] = field(default_factory=list[float])
    asked: dict[str, str] = field(default_factory=dict[str, str])
    unanswered: int = 0
    lines: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    session: str = ""

    async def hook(self, event: str, name: str, **members: Any) -> str:
        """What the hook of an event prints."""
        given = {"session_id": self.session, "hook_event_name": name, "cwd": "/work/shop", **members}
        command = [sys.executable, "-m", "legacymind", "hook", event]
        process = await asyncio.create_subprocess_exec(
            *command, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        printed, _ = await process.communicate(json.dumps(given).encode())
        return printed.decode()

    async def turn(self, prompt: str, answer: str, *ran: tuple[str, bool]) -> str:
        """A prompt, commands that failed or not, and the agent's answer; what the prompt got."""
        begun = time.perf_counter()
        got = await self.hook("prompt", "UserPromptSubmit", prompt=prompt)
        self.seconds.append(time.perf_counter() - begun)
        self.unanswered += "did not answer" in got
        self.lines.append({"type": "user", "message": {"role": "user", "content": prompt}})
        for command, fails in ran:
            call = f"toolu-{uuid.uuid4()}"
            use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}
            result = {"type": "tool_result", "tool_use_id": call, "content": "", "is_error": fails}
            self.lines.append({"type": "assistant", "message": {"role": "assistant", "content": [use]}})
            self.lines.append({"type": "user", "message": {"role": "user", "content": [result]}})
            if fails:
                error = f"Error: EACCES: permission denied, open '{command}'"
                tool = {"tool_name": "Bash", "tool_use_id": call, "tool_input": {"command": command}}
                await self.hook("failure", "PostToolUseFailure", **tool, error=error)
        transcript = self.folder / self.session
        transcript.write_text("\n".join(map(json.dumps, self.lines)), encoding="utf-8")
        ended = {"transcript_path": str(transcript), "last_assistant_message": answer}
        await self.hook("session-end", "Stop", **ended)
        return got


async def play(day: Day) -> None:
    """The day: preferences among other work, and in later sessions questions about them."""
    work = iter(WORK)
    for n, preference in enumerate(PREFERENCES):
        if n % 6 == 0:
            day.session, day.lines = f"morning-{n}", []
        if n == 1:
            await day.turn(next(work), "It fails.", (FAILS, True), (NEVER, True))
        if n == 3:
            await day.turn(next(work), MENDED, (FAILS, False))
        await day.turn(preference, "Noted.", ("ls", False))
        if n % 3 == 2:
            await day.turn(next(work), "Done.", ("git status", False))
    for n, question in enumerate(ABOUT):
        if n % 6 == 0:
            day.session, day.lines = f"evening-{n}", []
        day.asked[question] = await day.turn(question, "I looked it up.")
        if n % 2 and len(day.seconds) < 40:
            await day.turn(next(work), "Done.")
    while len(day.seconds) < 40:
        await day.turn(next(work), "Done.")


@contextmanager
def load(processes: int) -> Generator[None]:
    """Keep processes busy meanwhile."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


async def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--load", type=int, default=0)
    busy = parser.parse_args().load
    namespace = f"hooks-{uuid.uuid4()}"
    env = {**os.environ, "LEGACYMIND_NAMESPACE": namespace}
    log = load_settings().home_path / "hooks.log"
    before = len(log.read_text("utf-8").splitlines()) if log.exists() else 0
    server = StdioServerParameters(command=sys.executable, args=["-m", "legacymind", "mcp"], env=env)
    with tempfile.TemporaryDirectory() as folder:
        day = Day(env, Path(folder))
        async with Client(server) as client:
            await client.call_tool("legacymind_context", {})
            with load(busy):
                await play(day)
            loads = os.getloadavg()[0]
            await client.call_tool("legacymind_context", {})
    logged = len(log.read_text("utf-8").splitlines()) - before if log.exists() else 0
    came = sum(PREFERENCES[n][:20] in got for n, got in enumerate(day.asked.values()))
    async with Mind(namespace=namespace) as mind:
        kept = 0
        for preference in PREFERENCES:
            hits = (await mind.search(preference, thought_type="prompt")).hits
            kept += any(hit.text == preference and hit.said_by == "user" for hit in hits)
        found = (await mind.search("EACCES permission denied", mode="stuck", limit=20)).hits
        failed = [await mind.get(hit.id) for hit in found]
        solved = [one for one in failed if one.solved_by]
        solutions = [(await mind.get(str(one.solved_by))).text for one in solved]
        true = [FAILS in one.text and MENDED in by for one, by in zip(solved, solutions, strict=True)]
        await mind.delete_namespace(namespace, confirm=True)
    times = sorted(1000 * each for each in day.seconds)
    took = f"p50 {statistics.median(times):.0f} ms, p95 {times[37]:.0f} ms"
    print(f"{len(times)} prompts at load {loads:.1f}: {took}")
    print(f"preferences kept: {kept} of {len(PREFERENCES)}; {came} came when they were asked about")
    print(f"failed commands: {len(failed)}; solved: {true.count(True)}, falsely: {true.count(False)}")
    print(f"prompts that say that nothing answered: {day.unanswered}; lines in hooks.log: {logged}")
    sys.exit(kept < len(PREFERENCES) or true != [True] or logged < day.unanswered)


if __name__ == "__main__":
    asyncio.run(main())
