"""Errors of requests other than tool calls, which have an answer of their own for them."""

import mcp_types as types
from mcp import MCPError

from legacymind.doors.answer import envelope


def protocol_error(raised: Exception) -> MCPError:
    """An error as one of the protocol: invalid parameters, or an internal error."""
    error = envelope(raised)["error"]
    expected = error["code"] in ("invalid_input", "not_found")
    return MCPError(
        code=types.INVALID_PARAMS if expected else types.INTERNAL_ERROR,
        message=error["message"],
        data={key: value for key, value in error.items() if key != "message"},
    )
