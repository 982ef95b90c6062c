"""Stores what hooks see: the user's words, what the agent concluded, and failed commands."""

from typing import TYPE_CHECKING

from legacymind.calls import calling, through
from legacymind.doors.cli.hooks.input import HookInput
from legacymind.errors import NotFound
from legacymind.origins import AGENT, OUTSIDE, USER

if TYPE_CHECKING:
    from legacymind.mind import Mind

_FAILED = "a failed command"


async def store(mind: "Mind", event: str, told: HookInput) -> None:
    """Store the thought of an event; a repeated event stores nothing."""
    think, prompts = mind.operations["think"].call, mind.settings.prompts
    if event == "prompt":
        words = told.asked()
        if words is not None and prompts != "leave":
            with calling(agent=False, door="a prompt", given=USER):  # no agent writes here
                await think(words | {"is_private": prompts == "private"})
    elif event == "failure":
        if (failed := told.failure()) is not None:
            with through(_FAILED, OUTSIDE):
                await think(failed)
    elif (ending := told.ending(with_task=prompts == "keep")) is not None:
        with through("the end of a session", AGENT):
            concluded = (await think(ending)).delegated_result.thought_id
            for failure in told.mended():
                await _solve(mind, concluded, failure, told)


async def _solve(mind: "Mind", thought: str, failure: str, told: HookInput) -> None:
    """Let a conclusion solve a failed command that was repeated with success, if it was stored."""
    from legacymind.services.think.thought import keyed_id

    with through(_FAILED, OUTSIDE):
        problem = keyed_id(mind.settings.namespace, failure)
    outcome = {"outcome": "success", "solves": problem, "idempotency_key": f"mended:{problem}"}
    try:
        await mind.operations["record_outcome"].call(
            {"thought_id": thought, "own_session_id": told.session, **outcome}
        )
    except NotFound:
        return
