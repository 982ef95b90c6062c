"""LegacyMind as neo4j-labs' agent-memory-tck tests it: its adapter over the public ``Mind``, a pytest plugin.

A message, a reasoning trace, a step, a tool call and an outcome are thoughts of these types in the session:
a step is below its trace, a call below its step. The id is that of the thought; what a thought has no place
for is a record below its text. An entity is an entity; a fact and a relationship are relations; a preference
is a standing fact about its category, with the context as its source. Every answer is read from the memory.
"""

# pyright: basic, reportMissingImports=false
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

import pytest
from tck.adapters.base_adapter import (
    TCKConversation,
    TCKMessage,
    TCKReasoningStep,
    TCKReasoningTrace,
    TCKSessionInfo,
    TCKToolCall,
    TCKToolStats,
    ToolCallStatus,
)

from legacymind import Mind, NotFound
from legacymind.adapters.texts import data_of, with_data
from tests.clients.tck_knowledge import WHOLE, KnowledgeAdapter

MESSAGE: Final = "message"
TRACE: Final = "reasoning trace"
STEP: Final = "reasoning step"
CALL: Final = "tool call"
OUTCOME: Final = "outcome"
"""Types of thoughts."""

_PAGE: Final = 100
_FAILED: Final = (ToolCallStatus.FAILURE, ToolCallStatus.ERROR, ToolCallStatus.TIMEOUT)


class MindAdapter(KnowledgeAdapter):
    """Messages and reasoning over a Mind, and its knowledge."""

    async def add_message(
        self, session_id: str, role: str, content: str, *, metadata: dict[str, Any] | None = None
    ) -> TCKMessage:
        """Store a message, whose role is the author."""
        record = {"content": content} | ({"metadata": metadata} if metadata else {})
        return _message(
            await self._thought(await self._think(session_id, MESSAGE, content, record, author=role))
        )

    async def get_conversation(self, session_id: str, *, limit: int | None = None) -> TCKConversation:
        """The latest messages of a session, all by default, oldest first."""
        said = [_message(step) for step in await self._chain(session_id) if step["thought_type"] == MESSAGE]
        return TCKConversation(
            id=uuid5(NAMESPACE_URL, session_id),  # a session has its name only
            session_id=session_id,
            messages=said if limit is None else said[max(len(said) - limit, 0) :],
            created_at=said[0].timestamp if said else datetime.now(UTC),
            updated_at=said[-1].timestamp if said else None,
        )

    async def search_messages(
        self, query: str, *, session_id: str | None = None, limit: int = 10, threshold: float = 0.7
    ) -> list[TCKMessage]:
        """Messages by their cosine with the query, of which the threshold is the least."""
        found = await self._mind.search_thoughts(
            query,
            limit=limit,
            method="vector",
            min_similarity=threshold,
            thought_type=MESSAGE,
            session_id=session_id,
            max_tokens=WHOLE,
        )
        return [_message(await self._thought(hit.id)) for hit in found.hits]

    async def list_sessions(self, *, limit: int = 100) -> list[TCKSessionInfo]:
        """The sessions with messages, by name."""
        listed = list[TCKSessionInfo]()
        async for session_id in self._mind.sessions():
            if len(listed) == limit:
                break
            found = await self.get_conversation(session_id)
            if found.messages:
                listed.append(
                    TCKSessionInfo(
                        session_id=session_id,
                        message_count=len(found.messages),
                        created_at=found.created_at,
                        updated_at=found.updated_at,
                    )
                )
        return listed

    async def delete_message(self, message_id: UUID) -> bool:
        """Redact a message; its step stays in the chain, without the text."""
        try:
            await self._thought(message_id, MESSAGE)
        except NotFound:
            return False
        await self._mind.forget(id=str(message_id), confirm=True)
        return True

    async def clear_session(self, session_id: str) -> None:
        """Redact all thoughts of a session."""
        await self._mind.forget(session_id=session_id, confirm=True)

    async def start_trace(self, session_id: str, task: str) -> TCKReasoningTrace:
        """Store the task."""
        return await self._trace(await self._think(session_id, TRACE, task, {"task": task}))

    async def add_step(
        self,
        trace_id: UUID,
        *,
        thought: str | None = None,
        action: str | None = None,
        observation: str | None = None,
    ) -> TCKReasoningStep:
        """Store a step below its trace."""
        trace = await self._thought(trace_id, TRACE)
        record = {"thought": thought, "action": action, "observation": observation}
        text = "\n".join(filter(None, record.values()))
        id = await self._think(trace["session_id"], STEP, text, record, parent_id=trace["id"])
        return next(step for step in (await self._trace(trace["id"])).steps if step.id == UUID(id))

    async def record_tool_call(
        self,
        step_id: UUID,
        tool_name: str,
        arguments: dict[str, Any],
        *,
        result: Any = None,
        status: ToolCallStatus = ToolCallStatus.SUCCESS,
        duration_ms: int | None = None,
        error: str | None = None,
    ) -> TCKToolCall:
        """Store a call below its step."""
        step = await self._thought(step_id, STEP)
        call = TCKToolCall(
            id=step_id,
            tool_name=tool_name,
            arguments=arguments,
            result=result,
            status=status,
            duration_ms=duration_ms,
            error=error,
        )
        record = call.model_dump(mode="json", exclude={"id"})
        id = await self._think(step["session_id"], CALL, tool_name, record, parent_id=step["id"])
        return _call(await self._thought(id))

    async def complete_trace(
        self, trace_id: UUID, *, outcome: str | None = None, success: bool | None = None
    ) -> TCKReasoningTrace:
        """Store the outcome below its trace; success and failure change the recall of the task."""
        trace = await self._thought(trace_id, TRACE)
        record = {"outcome": outcome}
        await self._think(trace["session_id"], OUTCOME, outcome or "", record, parent_id=trace["id"])
        if success is not None:
            await self._mind.record_outcome(trace["id"], "success" if success else "failure")
        return await self._trace(trace["id"])

    async def get_trace_with_steps(self, trace_id: UUID) -> TCKReasoningTrace | None:
        """A trace; None if there is none."""
        try:
            return await self._trace(str(trace_id))
        except NotFound:
            return None

    async def list_traces(
        self, *, session_id: str | None = None, limit: int = 100
    ) -> list[TCKReasoningTrace]:
        """Traces of a session, or of all, oldest first."""
        ids = [id async for id in self._listed(TRACE, session_id)]
        return [await self._trace(id) for id in ids[:limit]]

    async def get_tool_stats(self, tool_name: str | None = None) -> list[TCKToolStats]:
        """Counts of all calls, or of those of a tool."""
        calls = defaultdict[str, list[TCKToolCall]](list)
        async for id in self._listed(CALL):
            call = _call(await self._thought(id))
            if tool_name in (None, call.tool_name):
                calls[call.tool_name].append(call)
        return [_stats(name, own) for name, own in calls.items()]

    async def get_similar_traces(
        self, task: str, *, limit: int = 5, success_only: bool = True
    ) -> list[TCKReasoningTrace]:
        """Traces whose tasks are nearest in meaning."""
        found = await self._mind.search_thoughts(
            task, limit=_PAGE, method="vector", thought_type=TRACE, max_tokens=WHOLE
        )
        traces = [await self._trace(hit.id) for hit in found.hits]
        return [trace for trace in traces if trace.success or not success_only][:limit]

    async def _think(
        self, session_id: str, kind: str, text: str, record: Mapping[str, Any], **options: Any
    ) -> str:
        """Store a thought, with its record below the text unless that is the text; return its id."""
        is_plain = bool(text.strip()) and [*record.values()] == [text] and data_of(text) is None
        stored = await self._mind.think(
            text if is_plain else with_data(text, record),
            hint=None if is_plain else "question",  # a conversational mode: the record is not embedded
            session_id=session_id,
            thought_type=kind,
            **options,
        )
        return stored.delegated_result.thought_id.removeprefix("thoughts:")

    async def _thought(self, id: UUID | str, kind: str | None = None) -> dict[str, Any]:
        """A thought, of a type if one is given, as a step of an exported chain. Raises NotFound."""
        node = await self._mind.get(str(id), max_tokens=WHOLE)
        thought = node.thought
        if thought is None or thought.redacted_at or kind not in (None, thought.thought_type):
            raise NotFound(f"There is no {kind or 'thought'} {id}.")
        return {"id": node.id, "content": node.text, **asdict(thought)}

    async def _chain(self, session_id: str) -> list[dict[str, Any]]:
        """The thoughts of a session that have a text, oldest first."""
        try:
            chain = self._mind.export_chain(session_id)
            return [step async for step in chain if step.get("content") is not None]
        except NotFound:  # nothing was stored in it
            return []

    async def _listed(self, kind: str, session_id: str | None = None) -> AsyncIterator[str]:
        """The ids of all thoughts of a type, oldest first."""
        after = None
        while True:
            page = await self._mind.search_thoughts(
                thought_type=kind,
                session_id=session_id,
                limit=_PAGE,
                order="created_at_asc",
                after=after,
                max_tokens=WHOLE,
            )
            for hit in page.hits:
                yield hit.id
            after = page.next
            if after is None:
                return

    async def _trace(self, id: str) -> TCKReasoningTrace:
        """A trace with its steps and their calls. Raises NotFound."""
        trace = await self._thought(id, TRACE)
        below = defaultdict[str, list[dict[str, Any]]](list)
        for step in await self._chain(trace["session_id"]):
            below[f"{step['thought_type']} of {step.get('parent_id')}"].append(step)
        outcome = below[f"{OUTCOME} of {id}"][-1:]
        score = trace["outcome_score"]
        return TCKReasoningTrace(
            id=UUID(id),
            session_id=trace["session_id"],
            task=_record(trace, "task")["task"],
            steps=[
                TCKReasoningStep(
                    id=step["id"],
                    trace_id=UUID(id),
                    step_number=number,
                    tool_calls=[_call(call) for call in below[f"{CALL} of {step['id']}"]],
                    **_record(step, "thought"),
                )
                for number, step in enumerate(below[f"{STEP} of {id}"], 1)
            ],
            outcome=_record(outcome[0], "outcome")["outcome"] if outcome else None,
            success=None if score is None else score > 0,
            started_at=trace["created_at"],
            completed_at=outcome[0]["created_at"] if outcome else None,
        )


def _record(thought: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The record of a thought; a text without one is the value of ``name``."""
    return data_of(thought["content"]) or {name: thought["content"]}


def _message(thought: Mapping[str, Any]) -> TCKMessage:
    return TCKMessage(
        id=thought["id"],
        role=thought["author"],
        timestamp=thought["created_at"],
        **_record(thought, "content"),
    )


def _call(thought: Mapping[str, Any]) -> TCKToolCall:
    return TCKToolCall(id=thought["id"], **_record(thought, "tool_name"))


def _stats(name: str, calls: list[TCKToolCall]) -> TCKToolStats:
    durations = [call.duration_ms for call in calls if call.duration_ms is not None]
    successful = sum(call.status == ToolCallStatus.SUCCESS for call in calls)
    return TCKToolStats(
        name=name,
        total_calls=len(calls),
        successful_calls=successful,
        failed_calls=sum(call.status in _FAILED for call in calls),
        success_rate=successful / len(calls),
        avg_duration_ms=sum(durations) / len(durations) if durations else None,
    )


@pytest.fixture(scope="session")
async def adapter() -> AsyncIterator[MindAdapter]:
    """The adapter of all tests, in place of the TCK's own."""
    opened = MindAdapter(Mind(namespace="tck"))
    await opened.setup()
    yield opened
    await opened.teardown()
