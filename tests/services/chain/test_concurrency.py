"""Many processes write one session and recall the same memories: no fork, no gap, no lost count."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import one, raw

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

PROCESSES, WRITERS, THOUGHTS = 2, 8, 6


def work(given: str) -> None:
    """The work of each process: independent writers, each with its own mind."""
    order: dict[str, Any] = json.loads(given)
    settings = Settings(home=order["home"], cache=order["cache"], namespace=order["namespace"])

    async def write(writer: int) -> list[int | None]:
        async with Mind(settings, embedder=FakeEmbedder()) as mind:
            steps: list[int | None] = []
            for number in range(order["thoughts"]):
                session = order["session"] or f"{order['process']}-{writer}"
                result = await mind.operations["think"].call(
                    {
                        "content": f"copper kettle {order['process']} {writer} {number}",
                        "session_id": session,
                        "injection_scale": order["scale"],
                    }
                )
                steps.append(result.chain.step_index)
            return steps

    async def every() -> list[list[int | None]]:
        return await asyncio.gather(*(write(writer) for writer in range(order["writers"])))

    print(json.dumps(asyncio.run(every())))


async def in_processes(settings: Settings, **order: Any) -> list[int]:
    """Run ``work`` in several processes at once; return the acknowledged steps."""

    async def run(process: int) -> list[list[int]]:
        given = order | {
            "process": process,
            "home": settings.home,
            "cache": settings.cache,
            "namespace": settings.namespace,
        }
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            f"from tests.services.chain.test_concurrency import work; work({json.dumps(given)!r})",
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=Path(__file__).parents[3],
        )
        out, errors = await child.communicate()
        assert child.returncode == 0, errors.decode()[-3000:]
        return json.loads(out)

    results = await asyncio.gather(*(run(process) for process in range(PROCESSES)))
    return [step for process in results for writer in process for step in writer]


async def test_one_session_written_by_many_processes_is_one_unbroken_chain(mind: Mind) -> None:
    steps = await in_processes(mind.settings, session="shared", writers=WRITERS, thoughts=THOUGHTS, scale=0)
    expected = PROCESSES * WRITERS * THOUGHTS
    assert sorted(steps) == list(range(expected))
    report = await mind.operations["verify_chain"].call({"session_id": "shared"})
    assert (report.valid, report.complete, report.thought_count) == (True, True, expected)
    followed = await one(
        mind,
        "MATCH (a:Thought {namespace: $ns})-[:FOLLOWS]->(b:Thought) "
        "WHERE b.step_index = a.step_index - 1 RETURN count(*)",
        ns=mind.settings.namespace,
    )
    assert followed == expected - 1  # automatic links follow the chain


async def test_concurrent_recalls_of_the_same_memories_lose_no_count_and_do_not_deadlock(mind: Mind) -> None:
    entities = [{"name": f"copper kettle pot{number}"} for number in range(8)]
    await mind.operations["remember"].call({"entities": entities})
    steps = await in_processes(mind.settings, session=None, writers=WRITERS, thoughts=5, scale=2)
    thoughts = PROCESSES * WRITERS * 5
    assert len(steps) == thoughts
    rows = await raw(
        mind,
        "MATCH (n {namespace: $ns}) WHERE n:Thought OR n:Entity "
        "RETURN n:Entity AS entity, n.access_count AS counted, COUNT { (n)<-[:RECALLS]-() } AS recalled",
        ns=mind.settings.namespace,
    )
    assert [row["counted"] for row in rows] == [row["recalled"] for row in rows]
    assert all(row["counted"] > thoughts // 2 for row in rows if row["entity"])
    for process in range(PROCESSES):
        for writer in range(WRITERS):
            report = await mind.operations["verify_chain"].call({"session_id": f"{process}-{writer}"})
            assert (report.valid, report.complete, report.thought_count) == (True, True, 5)


async def test_writers_of_one_process_queue_instead_of_conflicting(mind: Mind) -> None:
    calls = [mind.operations["think"].call({"content": f"number {n}"}) for n in range(40)]
    results = await asyncio.gather(*calls)
    assert sorted(result.chain.step_index for result in results) == list(range(40))
    report = await mind.operations["verify_chain"].call({"session_id": "session"})
    assert (report.valid, report.complete, report.thought_count) == (True, True, 40)


async def test_links_to_each_other_and_to_one_action_do_not_deadlock(mind: Mind) -> None:
    ids = [mind.services.think.prepare(content="x", idempotency_key=f"k{n}").id for n in range(16)]

    async def write(number: int, other: Mind) -> None:
        links = {"revises_thought": ids[number - 1], "branch_from": ids[(number + 5) % 16]}
        links |= {"parent_id": ids[number - 2], "idempotency_key": f"k{number}", "action_id": "act"}
        await other.operations["think"].call({"content": "x", "session_id": f"s{number % 3}", **links})

    async with Mind(mind.settings, embedder=FakeEmbedder()) as other:
        await asyncio.gather(*(write(number, (mind, other)[number % 2]) for number in range(16)))
    for session in ("s0", "s1", "s2"):
        report = await mind.operations["verify_chain"].call({"session_id": session})
        assert (report.broken, report.complete) == (None, True)
    waiting = await one(
        mind, "MATCH (p:Pending {namespace: $ns}) RETURN count(p)", ns=mind.settings.namespace
    )
    assert waiting == 0
