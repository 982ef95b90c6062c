"""Private thoughts: a read shows those of one session, the one it names or else the process's own.

The rule holds for every read. A thread and a tree name their session. The id of a private thought may start
a trail or a list of links in any session, because neither shows its content.
"""

from typing import Annotated

from legacymind.model.about import about
from legacymind.services.shared import checks

Own = Annotated[
    str | None,
    about(
        "Its private",
        "Include this session's private thoughts. Default: the session of the process",
    ),
]


def own_session(requested: str | None, process: str | None) -> str:
    """The session whose private thoughts are visible; an empty string, the id of no session, for none."""
    return checks.key("own_session_id", requested) or process or ""
