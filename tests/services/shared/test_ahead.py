"""Planning ahead: after it the usual calls send no statement that the server has not planned."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from legacymind.doors.cli import planning
from legacymind.doors.mcp.readiness import Readiness
from legacymind.errors import NotFound
from legacymind.mind import Mind
from legacymind.observe import Step, observed_by
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import raw

pytestmark = pytest.mark.anyio


async def test_the_usual_calls_need_no_plan_after_planning_ahead(settings: Settings) -> None:
    embedder = FakeEmbedder()
    observed: list[str] = []

    @contextmanager
    def observe(step: Step) -> Generator[None]:
        observed.append(step.kind)
        yield

    async with Mind(settings, session_id="session", embedder=embedder) as mind:
        with observed_by(observe):
            await mind.plan_ahead()
        assert embedder.calls == []
        assert "operation" not in observed
        counted = "MATCH (n) WHERE n.namespace = $ns RETURN count(n) AS n"
        assert await raw(mind, counted, ns=settings.namespace) == [{"n": 0}]
        planned = mind.graph._planned  # pyright: ignore[reportPrivateUsage]
        before = set(planned)
        thought = (await mind.think("The kettle is copper")).delegated_result.thought_id
        await mind.think_batch([{"content": "It whistles"}, {"content": "It leaks"}])  # pyright: ignore[reportArgumentType]
        for method in ("graph", "vector", "text"):
            await mind.search("kettle", method=method)
        await mind.search("kettle", session_id="session")
        await mind.search("kettle", tags=["tea"])
        await mind.search()
        await mind.context("kettle")
        await mind.thoughts_thread(session_id="session")
        await mind.walk_trail(thought)
        await mind.get(thought)
        await mind.record_outcome(thought, "success")
        with pytest.raises(NotFound):
            await mind.entity("kettle")
        # The small statement that looks for deferred vectors runs in the background.
        assert len(planned - before) <= 1


@pytest.mark.parametrize("allowed", [True, False])
async def test_the_doors_plan_ahead_once_the_mind_is_warm_unless_a_setting_forbids_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    done: list[str] = []
    planning_began = asyncio.Event()

    async def warm_up() -> None:
        done.append("warm")

    async def plan_ahead() -> None:
        done.append("plan")
        planning_began.set()
        await asyncio.Event().wait()

    async with Mind(replace(settings, plan_ahead=allowed), embedder=FakeEmbedder()) as mind:

        async def open() -> Mind:
            return mind

        monkeypatch.setattr(mind, "warm_up", warm_up)
        monkeypatch.setattr(mind, "plan_ahead", plan_ahead)
        memory = Readiness(open)
        memory.begin()
        if allowed:
            await planning_began.wait()
        else:
            await asyncio.sleep(0.05)
        await memory.stop()  # ends the planning, which would never end
    assert done == (["warm", "plan"] if allowed else ["warm"])


async def test_the_process_that_up_starts_leaves_a_stopped_engine_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    async def plan_ahead(mind: Mind) -> None:
        done.append(mind.settings.neo4j_uri)

    async def check(vectors: object) -> bool:
        return True

    monkeypatch.setattr(Mind, "plan_ahead", plan_ahead)
    monkeypatch.setattr("legacymind.services.shared.vectors.Vectors.check", check)
    await planning.plan(settings)
    assert [uri.partition(":")[0] for uri in done] == ["bolt"]
    await planning.plan(replace(settings, home=f"{settings.home}-none"))
    assert len(done) == 1
