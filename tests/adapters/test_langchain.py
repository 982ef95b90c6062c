"""The LangChain adapters keep messages without loss, store each once, and find memories as documents."""

import asyncio

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from legacymind import Mind
from legacymind.adapters.langchain import MindChatHistory, MindRetriever
from legacymind.adapters.loops import HomeLoop

pytestmark = pytest.mark.slow  # its packages take ten seconds to import

MESSAGES: list[BaseMessage] = [
    SystemMessage("Be brief."),
    HumanMessage("What is a kettle?"),
    AIMessage("A pot.", id="run-1", response_metadata={"model": "fake"}),
    HumanMessage([{"type": "text", "text": "And this?"}, {"type": "image_url", "image_url": "data:,"}]),
    AIMessage("", tool_calls=[{"name": "look", "args": {"at": 1}, "id": "call-1"}]),
    ToolMessage("a lamp", tool_call_id="call-1"),
    HumanMessage("```json\n{}\n```", name="ada"),
    HumanMessage('{"type": "ai"}'),
    HumanMessage("yes"),
    HumanMessage("yes"),
]


def test_messages_come_back_as_they_were_added(own_mind: Mind) -> None:
    history = MindChatHistory(own_mind, "chat")
    assert history.messages == []
    history.add_messages(MESSAGES[:4])
    history.add_messages(MESSAGES[4:])
    assert history.messages == MESSAGES
    assert asyncio.run(MindChatHistory(own_mind, "chat").aget_messages()) == MESSAGES


def test_a_message_with_an_id_is_stored_once(own_mind: Mind) -> None:
    history = MindChatHistory(own_mind, "chat")
    for _ in range(3):
        history.add_messages([AIMessage("A pot.", id="1"), AIMessage("A pan.", id="2")])
    assert [message.id for message in history.messages] == ["1", "2"]
    history.add_messages([AIMessage("A pot!", id="1"), AIMessage("A pan.", id="2")])
    assert [message.content for message in history.messages] == ["A pot.", "A pan.", "A pot!"]


def test_cleared_messages_are_gone_and_may_be_added_again(own_mind: Mind) -> None:
    history = MindChatHistory(own_mind, "chat")
    for _ in range(2):
        history.add_messages([HumanMessage("A secret."), AIMessage("Indeed.", id="1")])
        history.clear()
        assert history.messages == []
    history.add_messages([AIMessage("Indeed.", id="1")])
    assert len(history.messages) == 1
    assert HomeLoop().wait(own_mind.verify("chat")).verdict == "intact"


def test_a_message_is_a_thought_that_recalls_and_tells_why(own_mind: Mind) -> None:
    MindChatHistory(own_mind, "before").add_messages([HumanMessage("The blue kettle of Ada leaks.")])
    MindChatHistory(own_mind, "now").add_messages([HumanMessage("Why does the blue kettle leak?")])

    async def why() -> list[str]:
        (asked,) = (await own_mind.search(session_id="now")).hits
        assert (asked.author, asked.thought_type) == ("user", "message")
        return [memory.text for memory in (await own_mind.explain_recall(asked.id)).memories]

    assert HomeLoop().wait(why()) == ["The blue kettle of Ada leaks."]


def test_other_thoughts_of_the_session_are_no_messages(own_mind: Mind) -> None:
    history = MindChatHistory(own_mind, "chat")
    history.add_messages([HumanMessage("Hello.")])
    HomeLoop().wait(own_mind.think("A thought of the agent itself.", session_id="chat"))
    assert history.messages == [HumanMessage("Hello.")]


def test_a_retriever_finds_memories_with_their_source(own_mind: Mind) -> None:
    HomeLoop().wait(own_mind.think("The blue kettle leaks.", author="ada", session_id="kitchen"))
    (found,) = MindRetriever(mind=own_mind).invoke("Which kettle leaks?")
    assert found.page_content == "The blue kettle leaks."
    assert (found.metadata["author"], found.metadata["session_id"]) == ("ada", "kitchen")
    assert MindRetriever(mind=own_mind, filters={"session_id": "other"}).invoke("Which kettle leaks?") == []
    assert MindRetriever(mind=own_mind, k=1).invoke("Which kettle leaks?") == [found]
