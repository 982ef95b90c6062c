"""Twenty-three jobs of an agent that has only the core tools: `python -m bench.jobs`.

Runs `legacymind mcp` as a client does, in a new namespace with 60 thoughts of the demo, and prints for each
job whether it was solved, its calls, and the tokens of their answers; then how many were solved, all calls,
and the largest default answers. Exits with 1 if a job was not solved.
"""

import asyncio
import json
import os
import sys
import uuid
from dataclasses import dataclass
from typing import Any, Final

import mcp_types as types
from mcp import Client, StdioServerParameters

from bench.job_list import JOBS
from bench.jobs_agent import Agent
from legacymind import files

THINK_TOKENS: Final = 800
SEARCH_TOKENS: Final = 700
"""The most tokens of an answer with default arguments."""

_HISTORY: Final = 60


@dataclass(frozen=True, slots=True)
class Played:
    """A job that was played; ``fault`` is empty if it was solved."""

    title: str
    calls: int
    tokens: int
    fault: str


async def _allow(context: Any, params: Any) -> types.ElicitResult:
    """The user, who allows what only they do."""
    return types.ElicitResult(action="accept", content={"allow": True})


async def play(env: dict[str, str]) -> tuple[list[Played], dict[str, int]]:
    """Play all jobs in a new namespace; also the tokens of the largest default answer by tool."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "legacymind.doors.mcp.stdio"],
        env=env | {"LEGACYMIND_NAMESPACE": f"jobs-{uuid.uuid4()}"},
    )
    played: list[Played] = []
    async with Client(server, elicitation_callback=_allow) as client:
        agent = Agent(client)
        for line in _seed()[:_HISTORY]:
            await agent.think(line["content"], line["session_id"])
        for job in JOBS:
            agent.calls = agent.tokens = 0
            fault = ""
            try:
                await job(agent)
            except (AssertionError, LookupError) as reason:
                fault = repr(reason)
            played.append(Played(job.__doc__ or "", agent.calls, agent.tokens, fault))
        return played, agent.largest


def _seed() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in files.text("seed", "thoughts.jsonl").splitlines()]
    return [line for line in lines if line["kind"] == "thought"]


async def main() -> None:
    """Print the table."""
    played, largest = await play(dict(os.environ))
    for one in played:
        state = f"NOT SOLVED: {one.fault}" if one.fault else "solved"
        print(f"{one.title:<100} {one.calls:>3} calls {one.tokens:>6} tokens  {state}")
    solved = sum(not one.fault for one in played)
    print(f"{solved}/{len(played)} solved with {sum(one.calls for one in played)} calls")
    print("Largest answers with default arguments:", largest)
    sys.exit(any(one.fault for one in played))


if __name__ == "__main__":
    asyncio.run(main())
