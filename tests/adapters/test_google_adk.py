"""The memory service of Google ADK, beside its own InMemoryMemoryService, and in a run with a fake model."""

# pyright: basic, reportMissingImports=false
from collections.abc import AsyncGenerator
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="run by `python -m tests.clients.frameworks google-adk`")
from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory import InMemoryMemoryService
from google.adk.memory.base_memory_service import BaseMemoryService
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools import preload_memory
from google.genai import types

from legacymind import Mind, NotFound
from legacymind.adapters.google_adk import MindMemoryService

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("ignore")]


class Repeating(BaseLlm):
    """A model that answers with all that it was sent."""

    async def generate_content_async(
        self, llm_request: Any, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """One answer."""
        said = f"I read: {llm_request.config.system_instruction} {llm_request.contents}"
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=said)]))


@pytest.fixture(params=["memory", "mind"])
async def service(request: pytest.FixtureRequest, mind: Mind) -> BaseMemoryService:
    """A service of either kind."""
    return InMemoryMemoryService() if request.param == "memory" else MindMemoryService(mind)


def session(user: str, *texts: str, id: str = "s") -> Session:
    """A session with an event for each text."""
    events = [
        Event(
            id=f"{user} {id} {number}",
            author="user",
            content=types.Content(role="user", parts=[types.Part(text=text)]),
        )
        for number, text in enumerate(texts)
    ]
    return Session(id=id, app_name="app", user_id=user, events=events)


async def found(service: BaseMemoryService, user: str, query: str) -> list[str]:
    """The texts that a search finds."""
    memories = (await service.search_memory(app_name="app", user_id=user, query=query)).memories
    return [each.content.parts[0].text for each in memories]


async def test_a_session_that_is_added_again_is_stored_once(service: BaseMemoryService) -> None:
    for texts in (["The kettle leaks."], ["The kettle leaks.", "The kettle whistles."]):
        await service.add_session_to_memory(session("ada", *texts))
    assert sorted(await found(service, "ada", "kettle")) == ["The kettle leaks.", "The kettle whistles."]


async def test_a_user_finds_only_their_own_memories(service: BaseMemoryService) -> None:
    await service.add_session_to_memory(session("ada", "The kettle leaks."))
    await service.add_session_to_memory(session("eve/ada", "The kettle whistles."))
    assert await found(service, "ada", "kettle") == ["The kettle leaks."]
    assert await found(service, "eve", "kettle") == []


async def test_a_deleted_memory_stays_deleted(mind: Mind) -> None:
    service = MindMemoryService(mind)
    await service.add_session_to_memory(session("ada", "The kettle leaks."))
    (memory,) = (await service.search_memory(app_name="app", user_id="ada", query="kettle")).memories
    with pytest.raises(NotFound):
        await service.delete_memory(app_name="app", user_id="eve", memory_id=memory.id)
    await service.delete_memory(app_name="app", user_id="ada", memory_id=memory.id)
    await service.add_session_to_memory(session("ada", "The kettle leaks."))
    assert await found(service, "ada", "kettle") == []


async def test_an_agent_preloads_what_an_earlier_session_said(mind: Mind) -> None:
    service, sessions = MindMemoryService(mind), InMemorySessionService()
    agent = LlmAgent(name="cook", model=Repeating(model="fake"), tools=[preload_memory])
    runner = Runner(app_name="app", agent=agent, session_service=sessions, memory_service=service)
    answers: list[str] = []
    for id, text in (("one", "The blue kettle of Ada leaks."), ("two", "Why does the blue kettle leak?")):
        await sessions.create_session(app_name="app", user_id="ada", session_id=id)
        message = types.Content(role="user", parts=[types.Part(text=text)])
        async for event in runner.run_async(user_id="ada", session_id=id, new_message=message):
            answers.append(event.content.parts[0].text)
        ran = await sessions.get_session(app_name="app", user_id="ada", session_id=id)
        await service.add_session_to_memory(ran)
    assert "PAST_CONVERSATIONS" not in answers[0]
    assert "user: The blue kettle of Ada leaks." in answers[1].partition("PAST_CONVERSATIONS")[2]
    assert (await mind.verify("adk:app/ada/two")).verdict == "intact"
