"""Reads whose subject does not exist: operations answer them with an empty result, commands with an error."""

from collections.abc import Mapping
from typing import Any

from legacymind.errors import NotFound
from legacymind.model.chain import ActionThoughts, ReasoningTrail, ThoughtTree
from legacymind.model.trails import ThreadResult

_LIST_SESSIONS = "Check the name and --namespace; `legacymind heads` lists the sessions."
_ACTION = "Check the id and --namespace: thoughts name their action when they are stored."


def check_found(result: Any, arguments: Mapping[str, Any]) -> None:
    """Raise NotFound if a result is empty because there is nothing of the name that was asked for."""
    match result:
        case ThoughtTree(count=0) | ThreadResult(count=0) if not arguments.keys() & {"offset", "cursor"}:
            names = [arguments[name] for name in ("session_id", "chain_id") if name in arguments]
            raise NotFound(
                f"There is no thought of {' and '.join(names)} that you may read.", hint=_LIST_SESSIONS
            )
        case ActionThoughts(count=0, private=0) | ReasoningTrail(trail_count=0, private=0):
            raise NotFound(f"No thought led to the action {arguments['action_id']}.", hint=_ACTION)
        case _:
            return
