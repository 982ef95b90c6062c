"""Asks the user in a dialog of the client (MCP's elicitation) for what an agent may not do by itself."""

from typing import Final

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import is_version_at_least

from legacymind.characters import visible
from legacymind.doors.answer import compact
from legacymind.doors.mcp.readiness import ServerContext

_DIALOGS: Final = types.ClientCapabilities(elicitation=types.ElicitationCapability())
_KEY: Final = "allow"
_RESULTS_ASK: Final = "2026-07-28"
"""From this version of the protocol on, a result asks, and the client repeats its call with the answer."""


class Asking(Exception):
    """The result that asks."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        self.result = result
        super().__init__()


async def allowed(context: ServerContext, call: types.CallToolRequestParams) -> bool:
    """Whether the user allows a call. A client that has no dialog does not. Raises Asking."""
    if not context.session.check_client_capability(_DIALOGS):
        return False
    what = visible(compact(call.arguments or {}))
    asked = f"An agent asks to run {call.name} with {what}. Only you can allow it."
    schema: types.ElicitRequestedSchema = {
        "type": "object",
        "properties": {_KEY: {"type": "boolean", "title": "Allow it"}},
        "required": [_KEY],
    }
    if is_version_at_least(context.protocol_version, _RESULTS_ASK):
        if call.input_responses is None:
            question = types.ElicitRequestFormParams(message=asked, requested_schema=schema)
            requests: types.InputRequests = {_KEY: types.ElicitRequest(params=question)}
            raise Asking(types.InputRequiredResult(input_requests=requests))
        answer = call.input_responses.get(_KEY)
    else:
        try:
            answer = await context.session.elicit_form(asked, schema, context.request_id)
        except MCPError:  # it has no way to ask during a call
            return False
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return False
    return (answer.content or {}).get(_KEY) is True
