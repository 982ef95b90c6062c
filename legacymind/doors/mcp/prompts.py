"""Prompts of the MCP server: each reads memory and states what to do with it.

A prompt is a line in ``PROMPTS``: the operation that it calls, and the text before the result.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import mcp_types as types

from legacymind.doors.answer import compact, jsonable
from legacymind.doors.mcp.errors import protocol_error
from legacymind.doors.mcp.readiness import GetOperations, ServerContext, ToolCall
from legacymind.errors import InvalidInput
from legacymind.text.fencing import fenced


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt; ``argument`` is its one argument, which ``operation`` gets as ``parameter``."""

    title: str
    description: str
    argument: str
    about: str
    required: bool
    operation: str
    parameter: str
    text: str


PROMPTS: Final = {
    "start_session": Prompt(
        title="Start a session",
        description="Begin with what memory has: preferences, open problems, related and recent thoughts",
        argument="topic",
        about="What the session is about",
        required=False,
        operation="context",
        parameter="query",
        text="Below is the context of your memory for a new session. Apply standing preferences where they "
        "fit what the user asks. Say in a few sentences where the work stands and what is open. While you "
        "work, search with "
        "legacymind_search before you decide, record plans, findings and decisions with "
        "legacymind_think, and record how a thought turned out with record_outcome.",
    ),
    "debug_with_memory": Prompt(
        title="Debug with memory",
        description="Look for earlier occurrences of an error and for what solved them",
        argument="error",
        about="The error message, or what fails",
        required=True,
        operation="search",
        parameter="query",
        text="Below are memories that are related to the error. `solved_by` is the id of the thought that "
        "solved a problem; read it with legacymind_get. If one of them is the same problem, try its "
        "solution first. Record the problem with legacymind_think and hint debug, each hypothesis as "
        "hypothesis, and the fix as a thought of its own. When the fix works, call record_outcome for "
        "it with solves: the id of the problem.",
    ),
    "conclude": Prompt(
        title="Conclude a session",
        description="Sum up a session as one thought that later sessions recall",
        argument="session_id",
        about="The session to conclude",
        required=True,
        operation="thoughts_thread",
        parameter="session_id",
        text="Below are the thoughts of the session, in order of time. Record one conclusion with "
        "legacymind_think and hint conclude in the same session: what was decided and why, what was "
        "learned, and what is still open. Then record outcomes of its thoughts that are known by now "
        "with record_outcome, and lasting facts with legacymind_remember.",
    ),
    "review_decision": Prompt(
        title="Review a decision",
        description="Compare a decision with what happened since, and record its outcome",
        argument="thought_id",
        about="Id of the thought that states the decision",
        required=True,
        operation="get",
        parameter="id",
        text="Below is the decision. Search with legacymind_search for what happened since: its effects, "
        "what contradicts it (contradicted_by), and what revised it (revised_by). State which of its reasons "
        "still hold. Then record_outcome for it, and if it has to change, record the new decision with "
        "legacymind_think and revises_thought.",
    ),
}


def listed() -> types.ListPromptsResult:
    """The response to ``prompts/list``."""
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                title=prompt.title,
                description=prompt.description,
                arguments=[
                    types.PromptArgument(
                        name=prompt.argument, description=prompt.about, required=prompt.required
                    )
                ],
            )
            for name, prompt in PROMPTS.items()
        ]
    )


def getter(
    operations: GetOperations,
) -> Callable[[ServerContext, types.GetPromptRequestParams], Awaitable[types.GetPromptResult]]:
    """The handler of ``prompts/get``. An unknown prompt or a missing argument is an error of the protocol."""

    async def get(context: ServerContext, parameters: types.GetPromptRequestParams) -> types.GetPromptResult:
        try:
            prompt = PROMPTS.get(parameters.name)
            if prompt is None:
                raise InvalidInput(
                    f"The prompt {parameters.name[:80]!r} does not exist.", hint=f"Use {', '.join(PROMPTS)}."
                )
            result = await _read(prompt, parameters.arguments or {}, ToolCall(context), operations)
        except Exception as raised:
            raise protocol_error(raised) from raised
        text = types.TextContent(type="text", text=f"{prompt.text}\n\n{result}")
        return types.GetPromptResult(
            description=prompt.description, messages=[types.PromptMessage(role="user", content=text)]
        )

    return get


async def _read(prompt: Prompt, given: Mapping[str, str], call: ToolCall, operations: GetOperations) -> str:
    value = given.get(prompt.argument, "").strip()
    if prompt.required and not value:
        raise InvalidInput(f"The prompt needs {prompt.argument}: {prompt.about.lower()}.")
    arguments: dict[str, Any] = {prompt.parameter: value} if value else {}
    operation = (await operations(call))[prompt.operation]
    result = fenced(compact(jsonable(await call.reporting(operation.call(arguments), "Reading memory"))))
    return f"{prompt.argument}: {value}\n\n{result}" if value else result
