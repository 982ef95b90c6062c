"""Whose private thoughts a read may show: those of the session that it names, or of the process's own.

One rule for every read. A thread or tree names its session anyway. A thought's id may be used by whoever has
it, as the start of a trail or for its links, since neither shows its content; it names no session.
"""

from typing import Annotated

from pydantic import Field

from legacymind.services.shared import checks

Own = Annotated[str | None, Field(description="Its private thoughts may show")]


def own_session(named: str | None, process: str | None) -> str:
    """The checked session that was named, or the process's own, or an empty text, which no session is."""
    return checks.key("own_session_id", named) or process or ""
