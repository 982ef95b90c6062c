"""Twelve jobs of an agent that has only the core tools: `python -m bench.jobs`.

Runs `legacymind mcp` as a client does, in a new namespace with 60 thoughts of the demo, and prints for each
job whether it was solved, its calls, and the tokens of their answers; then the largest default answers.
Exits with 1 if a job was not solved. The namespace is deleted at the end, by the last job.
"""

import asyncio
import json
import os
import sys
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import mcp_types as types
from mcp import Client, StdioServerParameters

from legacymind import files
from legacymind.operations.budget import tokens

THINK_TOKENS: Final = 800
SEARCH_TOKENS: Final = 700
"""The most tokens of an answer with default arguments."""

_HISTORY: Final = 60


@dataclass(slots=True)
class Agent:
    """An agent with the core tools, and what its calls cost."""

    client: Client
    calls: int = 0
    tokens: int = 0
    largest: dict[str, int] = field(default_factory=dict[str, int])

    async def use(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The answer of a tool; that of a refused call has ``error``."""
        answer = await self.client.call_tool(tool, arguments)
        text = "".join(getattr(part, "text", "") for part in answer.content)
        self.calls += 1
        self.tokens += (size := tokens(text))
        if not arguments.keys() - {"content", "query", "session_id"}:
            self.largest[tool] = max(self.largest.get(tool, 0), size)
        return json.loads(text)

    async def think(self, content: str, session: str, **options: Any) -> dict[str, Any]:
        """Think in a session; the answer."""
        return await self.use("legacymind_think", content=content, session_id=session, **options)

    async def texts(self, query: str, **options: Any) -> list[str]:
        """The texts of the hits of a search."""
        return [hit["text"] for hit in (await self.use("legacymind_search", query=query, **options))["hits"]]

    async def context(self, session: str, query: str | None = None) -> str:
        """The context of a session, as text."""
        asked = {"query": query} if query else {}
        return json.dumps(await self.use("legacymind_context", session_id=session, **asked))

    async def remember(self, entity: str, *facts: str, **options: Any) -> dict[str, Any]:
        """Store facts about an entity."""
        observations = [{"entity": entity, "content": fact, **options} for fact in facts]
        return await self.use("legacymind_remember", observations=observations)


async def preferences(agent: Agent) -> None:
    """1. A preference stored as a fact is in the next context, and comes when it matters."""
    await agent.remember("user", "Never push to main.", standing=True)
    assert "Never push to main" in await agent.context("later")
    recalled = await agent.think("I am done, so let me push the fix to main.", "later")
    assert "Never push to main" in json.dumps(recalled)


async def correction(agent: Agent) -> None:
    """2. A fact of which another one is near is told, and ends when that one supersedes it."""
    await agent.remember("Harborline", "The staging URL is https://old.example.org.")
    newer = "The staging URL is https://new.example.org."
    stored = await agent.remember("Harborline", newer)
    near = [fact["id"] for fact in stored["observations"][0]["near"] if "old.example" in fact["content"]]
    await agent.remember("Harborline", newer, supersedes=near[0])
    texts = await agent.texts("What is the staging URL of Harborline?")
    assert [text for text in texts if "staging URL" in text] == [newer]


async def hypothesis(agent: Agent) -> None:
    """3. Another value speaks against a hypothesis; a fact about something else for neither side."""
    await agent.remember("Hydra", "Hydra's Airflow version is 3.1.", "Hydra's Slack channel is #hydra.")
    tested = await agent.think("Check", "test", hypothesis="Hydra's Airflow version is 2.9")
    assert "supporting" not in tested["verification"]
    assert [one["text"] for one in tested["verification"]["contradicting"]] == [
        "Hydra's Airflow version is 3.1."
    ]
    unknown = await agent.think("Check", "test", hypothesis="Hydra's budget is 40,000 euros")
    assert unknown["verification"].get("confidence_score") is None


async def revision(agent: Agent) -> None:
    """4. A revision of a thought that does not exist is told."""
    refused = await agent.think("Better so.", "revision", revises_thought="latest")
    assert "no id of a thought" in refused["error"]["message"]
    waiting = await agent.think("Better so.", "revision", revises_thought=str(uuid.uuid4()))
    assert "has no thought" in json.dumps(waiting["warnings"])


async def forgetting(agent: Agent) -> None:
    """5. A person is forgotten: first a plan, then no answer has the name."""
    await agent.remember("Orla Quist", "Orla Quist prefers tea.", "Orla Quist's phone number is 555-0199.")
    await agent.think("Orla Quist wants the report on Monday.", "forget")
    plan = await agent.use("legacymind_forget", subject="Orla Quist")
    assert not plan["done"]
    done = await agent.use("legacymind_forget", subject="Orla Quist", confirm=True)
    assert done["done"]
    left = [*(await agent.texts("Orla Quist phone tea report")), await agent.context("forget", "Orla Quist")]
    left.append(json.dumps((await agent.think("Who wanted the report?", "other"))["memories"]))
    assert not [text for text in left if "Quist" in text or "555-0199" in text]


async def expiry(agent: Agent) -> None:
    """6. What is true for a while is gone afterwards."""
    soon = datetime.now(UTC) + timedelta(seconds=3)
    await agent.think("The parking code is 4417 today.", "expiry", expires_at=soon.isoformat())
    assert any("4417" in text for text in await agent.texts("parking code"))
    await asyncio.sleep((soon - datetime.now(UTC)).total_seconds() + 0.1)
    assert not any("4417" in text for text in await agent.texts("parking code"))


async def continuing(agent: Agent) -> None:
    """7. A new session goes on where another one stopped, and its chain verifies."""
    decided = "Decision: the invoice export goes out as CSV, because the auditors open it in a spreadsheet."
    await agent.think(decided, "work")
    await agent.think("Next: write the header row of the export.", "work")
    found = await agent.context("new day", "invoice export")
    assert "auditors open it" in found
    assert "header row" in found
    assert (await agent.use("thought_verify_chain", session_id="work"))["verdict"] == "intact"


async def known_error(agent: Agent) -> None:
    """8. An error that was solved before brings its solution."""
    error = "ImportError: cannot import name 'Loader' from 'yaml'"
    first = await agent.think(f"Tests fail: {error}", "bug")
    solved = await agent.think("Pinning PyYAML to 6.0.1 mends it.", "bug")
    outcome = {"outcome": "success", "solves": first["delegated_result"]["thought_id"]}
    await agent.use("record_outcome", thought_id=solved["delegated_result"]["thought_id"], **outcome)
    again = await agent.think(f"CI is red again: {error}", "another")
    assert "Pinning PyYAML" in json.dumps(again["memories"])


async def unresolved(agent: Agent) -> None:
    """9. An open problem is in the context until an outcome says that it is solved."""
    first = await agent.think("I am stuck: the kiln does not reach 1200 degrees.", "kiln", hint="stuck")
    open_problems = (await agent.use("legacymind_context", session_id="kiln"))["unresolved"]
    assert any("1200 degrees" in one["text"] for one in open_problems)
    solved = await agent.think("The thermocouple was loose.", "kiln")
    outcome = {"outcome": "success", "solves": first["delegated_result"]["thought_id"]}
    await agent.use("record_outcome", thought_id=solved["delegated_result"]["thought_id"], **outcome)
    open_problems = (await agent.use("legacymind_context", session_id="kiln"))["unresolved"]
    assert not any("1200 degrees" in one["text"] for one in open_problems)


async def empty_answers(agent: Agent) -> None:
    """10. An empty answer says why."""
    for given, reason in (
        ({"thought_type": "questoin"}, "question"),
        ({"session_id": "kilm"}, "kiln"),
        ({"date_from": "2026-11-02", "date_to": "2026-11-01"}, "after"),
    ):
        answer = await agent.use("legacymind_search", query="kiln", **given)
        assert not answer["hits"]
        assert reason in answer["note"], answer["note"]


async def long_text(agent: Agent) -> None:
    """11. The sections of a long text are found, each by itself."""
    for part in _sections():
        await agent.think(part, "document", injection_scale=0)
    for question, answer in (
        ("How long do weights of recalls take to halve?", "60 days"),
        ("Which job repairs missing indexes?", "ensure_continuity_fields"),
        ("How many pinned thoughts does a context have?", "20 newest"),
    ):
        found = await agent.texts(question, session_id="document", limit=3)
        assert any(answer in text for text in found), question


async def lists(agent: Agent) -> None:
    """12. Facts are listed page by page; a text that was said before is told; and a session is forgotten."""
    first = await agent.use("legacymind_search", kinds=["observation"], limit=3)
    second = await agent.use("legacymind_search", kinds=["observation"], limit=3, after=first["next"])
    assert not {hit["id"] for hit in first["hits"]} & {hit["id"] for hit in second["hits"]}
    await agent.think("The roof of hall 3 leaks.", "roof")
    await agent.think("We should call somebody.", "roof")
    assert (await agent.think("The roof of hall 3 leaks.", "roof"))["warnings"]
    await agent.use("legacymind_forget", session_id="roof", confirm=True)
    assert not await agent.texts("hall 3 leaks", session_id="roof", limit=3)


JOBS: Final[tuple[Callable[[Agent], Awaitable[None]], ...]] = (
    preferences,
    correction,
    hypothesis,
    revision,
    forgetting,
    expiry,
    continuing,
    known_error,
    unresolved,
    empty_answers,
    long_text,
    lists,
)


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


def _sections() -> list[str]:
    page = Path("docs/memory/memory-over-time.md").read_text(encoding="utf-8")
    return [section.strip() for section in page.split("\n\n") if len(section) > 100]


async def main() -> None:
    """Print the table."""
    played, largest = await play(dict(os.environ))
    for one in played:
        state = f"NOT SOLVED: {one.fault}" if one.fault else "solved"
        print(f"{one.title:<100} {one.calls:>3} calls {one.tokens:>6} tokens  {state}")
    print("Largest answers with default arguments:", largest)
    sys.exit(any(one.fault for one in played))


if __name__ == "__main__":
    asyncio.run(main())
