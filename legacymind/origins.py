"""Where a memory comes from and how far that is trusted (docs/trust/security.md).

One rule: nothing less trusted changes, ends, hides or commands what is more trusted. A door says the origin
of what comes through it; a caller can only lower it.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

Origin = Literal["user", "agent", "derived", "import", "outside"]
"""Who said it: the user, an agent, LegacyMind itself by other memories, a file, a tool or a page."""

Declared = Literal["user", "human", "agent", "import", "tool", "web", "outside"]
"""An origin that a caller states; ``human`` is the user, ``tool`` and ``web`` are outside."""

Role = Literal["read", "write", "curate", "admin"]
"""What a token allows, each with those before: to read; to store; to do what else only the user does, such
as to forget and to merge; to run jobs over the whole memory."""

LeftOut = Literal["nothing", "outside", "import", "agent"]
"""What reads leave out: this and what is less trusted."""

ROLES: Final[tuple[Role, ...]] = get_args(Role)

USER, AGENT, IMPORT, OUTSIDE = 3, 2, 1, 0
"""Trust. That of ``derived`` is the lowest of its sources."""

_TRUST: Final[Mapping[str, int]] = {"user": USER, "agent": AGENT, "import": IMPORT, "outside": OUTSIDE}
_ORIGIN: Final[Mapping[int, Origin]] = {USER: "user", AGENT: "agent", IMPORT: "import", OUTSIDE: "outside"}
_DECLARED: Final[Mapping[str, int]] = {**_TRUST, "human": USER, "tool": OUTSIDE, "web": OUTSIDE}


def lowered(trust: int, declared: str | None) -> int:
    """The trust of a door, or that of the origin that its caller states, if it is lower."""
    return trust if declared is None else min(trust, _DECLARED[declared])


def least_trust(left_out: LeftOut) -> int:
    """The least trust of what reads have that leave something out."""
    return OUTSIDE if left_out == "nothing" else _TRUST[left_out] + 1


def origin_of(trust: int) -> Origin:
    """The origin that has a trust by itself."""
    return _ORIGIN[trust]


def trust_of_origin(origin: object) -> int | None:
    """The trust that an origin has by itself; None for ``derived``, and for what is none."""
    return _TRUST.get(origin) if isinstance(origin, str) else None


def trust_of(trust: object) -> int:
    """A stored trust; what was made in the database is trusted as an agent."""
    return trust if type(trust) is int and trust in _ORIGIN else AGENT


def said_by_of(stored: Mapping[str, Any]) -> str:
    """Who said what is stored with these properties; see ``said_by``."""
    return said_by(stored.get("origin"), stored.get("door"), stored.get("trust"))


def said_by(origin: object, door: object, trust: object) -> str:
    """Who said something, in words that no stored text can contain or change."""
    known = trust_of(trust)
    if origin == "derived":
        return f"derived, from {_ORIGIN[known]}"
    own = trust_of_origin(origin)
    if own is None:
        return _ORIGIN[known]
    if known < own:  # an export, whose chain no key proved
        return f"{_ORIGIN[known]}, via an export"
    told = f"{origin}, via {door}" if own < AGENT and isinstance(door, str) else str(origin)
    return f"{told}, confirmed by the user" if known == USER > own else told
