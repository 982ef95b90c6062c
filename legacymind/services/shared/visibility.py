"""Private thoughts: a read shows those of one session, the one it names or else the process's own.

The rule holds for every read. A thread and a tree name their session. The id of a private thought may start
a trail or a list of links in any session, because neither shows its content.
"""

from typing import Annotated

from legacymind.model.about import about
from legacymind.model.members import Id
from legacymind.services.shared import checks

OwnSessionId = Annotated[
    Id | None,
    about(
        "Your session",
        "Include this session's private thoughts. Default: that of the process",
    ),
]


def resolve_own_session(requested: str | None, process: str | None, *, name: str = "own_session_id") -> str:
    """The session whose private thoughts are visible; empty for none.

    It is the requested one, else that of the process. ``name`` is the parameter in an error message.
    """
    return checks.key(name, requested) or process or ""
