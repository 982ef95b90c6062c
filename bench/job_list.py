"""The jobs of ``bench.jobs``: each uses the core tools, and asserts what their answers say."""

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bench.jobs_agent import Agent
from legacymind.operations.budget import tokens


def _sections() -> list[str]:
    page = Path("docs/memory/memory-over-time.md").read_text(encoding="utf-8")
    return [section.strip() for section in page.split("\n\n") if len(section) > 100]


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


async def two_agents(agent: Agent) -> None:
    """13. What one agent has found, another one reads, with its author."""
    await agent.think("The flaky test waits for port 7001.", "reviews", author="tester")
    found = await agent.use("legacymind_search", query="Why is the test flaky?")
    assert ("tester", "The flaky test waits for port 7001.") in [
        (hit.get("author"), hit["text"]) for hit in found["hits"]
    ]


async def procedure(agent: Agent) -> None:
    """14. A procedure is kept as a fact, and a new session that begins the same work gets it."""
    steps = "To cut a release of Larkspur: tag it, wait for the build, then publish the notes."
    await agent.remember("Larkspur", steps)
    recalled = await agent.think("Now I cut the release of Larkspur.", "release day")
    assert steps in json.dumps(recalled["memories"])


async def about(agent: Agent) -> None:
    """15. All facts about a thing are one list, in 25 tokens each."""
    facts = [f"Machine {n} stands in bay {n}." for n in range(12)]
    await agent.remember("Wendover", *facts)
    listed = await agent.use("legacymind_search", about=["Wendover"], kinds=["observation"], limit=20)
    assert {hit["text"] for hit in listed["hits"]} == set(facts)
    assert tokens(listed["hits"]) <= 25 * len(facts)


async def changes(agent: Agent) -> None:
    """16. What changed since a day has what was stored and what ended."""
    first = await agent.remember("Ravenel", "Ravenel's lead is Ada.")
    replaced = first["observations"][0]["id"]
    await agent.remember("Ravenel", "Ravenel's lead is Bob.", supersedes=replaced)
    since = datetime.now(UTC).date().isoformat()
    found = await agent.use("legacymind_search", about=["Ravenel"], date_from=since, limit=20)
    ended = {hit["text"]: "valid_to" in hit for hit in found["hits"] if "lead is" in hit["text"]}
    assert ended == {"Ravenel's lead is Ada.": True, "Ravenel's lead is Bob.": False}
    over = await agent.use("legacymind_search", about=["Ravenel"], ended=True)
    assert [hit["text"] for hit in over["hits"]] == ["Ravenel's lead is Ada."]


async def open_items(agent: Agent) -> None:
    """17. A task is open until it is done, and the context lists it till then."""
    task = await agent.think("Send the audit report to Lisbon.", "audit", thought_type="todo")
    asked = await agent.think("Who signs the audit report?", "audit", thought_type="question")
    listed = await agent.use("legacymind_search", open=True, session_id="audit")
    assert len(listed["hits"]) == 2
    assert "audit report to Lisbon" in json.dumps((await agent.use("legacymind_context"))["unresolved"])
    done = await agent.think("Sent it, and Noor signs.", "audit")
    for open_item in (task, asked):
        outcome = {"outcome": "success", "solves": open_item["delegated_result"]["thought_id"]}
        await agent.use("record_outcome", thought_id=done["delegated_result"]["thought_id"], **outcome)
    listed = await agent.use("legacymind_search", open=True, session_id="audit")
    assert not listed["hits"]
    assert "audit report to Lisbon" not in json.dumps((await agent.use("legacymind_context"))["unresolved"])


async def namespaces(agent: Agent) -> None:
    """18. A read has several namespaces and names those of its hits; an unknown one is told."""
    other = f"jobs-{uuid.uuid4()}"
    fact = {"entity": "Team", "content": "The team writes dates as 2026-11-29."}
    await agent.use("legacymind_remember", observations=[fact], namespace=other)
    found = await agent.use("legacymind_search", query="How does the team write dates?", also_read=[other])
    assert (other, fact["content"]) in [(hit.get("namespace"), hit["text"]) for hit in found["hits"]]
    missing = await agent.use("legacymind_search", query="dates", namespace="no-such-memory")
    assert "no-such-memory" in missing["note"]
    await agent.use("legacymind_forget", subject="Team", confirm=True, namespace=other)


async def echo(agent: Agent) -> None:
    """19. A question that was asked before is no answer to the same question, nor recent."""
    question = "Which valve does the brewery open first?"
    await agent.think(question, "asking")
    await agent.think("The brewery opens the steam valve first.", "telling")
    recalled = await agent.think(question, "asking again")
    assert recalled["memories"][0]["text"] == "The brewery opens the steam valve first."
    assert question not in json.dumps((await agent.use("legacymind_context"))["recent"])


async def negative(agent: Agent) -> None:
    """20. A search for what nobody stored says that its hits are probably no answer."""
    found = await agent.use("legacymind_search", query="What is the capital of Mongolia?")
    assert not found["hits"] or "robably nothing" in found["note"]


async def order(agent: Agent) -> None:
    """21. Memories are in the order of their scores, and each says in a word how it was found."""
    for n in range(5):
        await agent.think(f"The ferry to Orkney leaves pier {n} at {n} o'clock.", f"ferry {n}")
    memories = (await agent.think("When does the ferry to Orkney leave?", "ferries"))["memories"]
    scores = [memory["score"] for memory in memories]
    assert len(scores) >= 2
    assert scores == sorted(scores, reverse=True)
    assert all(memory["via"].isalpha() for memory in memories)


async def errors(agent: Agent) -> None:
    """22. An error names only what the profile lists."""
    listed = {tool.name: tool.input_schema["properties"] for tool in (await agent.client.list_tools()).tools}
    refused = await agent.use("legacymind_search", colour="red")
    known = refused["error"]["message"].partition("Known parameters: ")[2].rstrip(".").split(", ")
    assert set(known) == listed["legacymind_search"].keys()


async def standing(agent: Agent) -> None:
    """23. What became standing is told, and a context counts the preferences that it leaves out."""
    rules = [f"Room {n} is always cleaned with soap number {n}." for n in range(12)]
    stored = await agent.remember("user", *rules, standing=True)
    assert all(fact["standing"] for fact in stored["observations"])
    told = await agent.think("Write to Priya on Slack, please.", "wishes", standing=True)
    assert told["standing"]
    shown = await agent.use("legacymind_context")
    assert shown["left_out"]
    everything = await agent.use("legacymind_context", limit=100, max_tokens=10_000)
    assert {hit["text"] for hit in everything["standing"]} >= set(rules)


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
    two_agents,
    procedure,
    about,
    changes,
    open_items,
    namespaces,
    echo,
    negative,
    order,
    errors,
    standing,
)
