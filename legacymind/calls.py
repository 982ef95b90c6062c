"""The call that the current task works for: who makes it, and how long it has been retried."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypedDict

from legacymind.origins import AGENT, ROLES, USER, Declared, Origin, Role, lowered, origin_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who makes the calls of a task, and what they may do; by default this process.

    ``name`` is that of a token or an address; blank for the process. ``namespaces`` are the only ones that
    the calls may use, the default one first; empty: that of the settings, or any if that is not fixed.
    ``session`` is the session of calls that name none. ``role`` is that of a token; None: of this process,
    which has no limits. ``agent``: a model makes the calls and not a person. ``door`` is the door through
    which they come, and ``given`` the trust that it gives them, from 0 to 3 (``origins``).
    ``brief``: answers have the form of MCP's core profile, which token budgets then measure.
    """

    name: str = ""
    namespaces: tuple[str, ...] = ()
    session: str | None = None
    role: Role | None = None
    agent: bool = False
    door: str = "python"
    given: int = USER
    brief: bool = False

    def may(self, needed: Role) -> bool:
        """Whether the role of the calls, if they have one, is this or a higher one."""
        return self.role is None or ROLES.index(self.role) >= ROLES.index(needed)

    @property
    def may_as_user(self) -> bool:
        """Whether the calls are the user's, or of a token of which who made it has allowed all of them."""
        return self.trust == USER or (self.role is not None and self.may("curate"))

    @property
    def namespace(self) -> str | None:
        """The namespace of calls that name none; None: that of the settings."""
        return next(iter(self.namespaces), None)

    @property
    def trust(self) -> int:
        """The trust of what the calls store and change."""
        return min(self.given, AGENT) if self.agent else self.given

    @property
    def by(self) -> str | None:
        """Who sends the calls: a token, an address, or the system's user."""
        return self.name or _system_user()


class Speaker(TypedDict):
    """What is stored of who says something."""

    origin: Origin
    door: str
    by: str | None
    trust: int


@dataclass(slots=True, eq=False)
class Call:
    """A call of an operation, or a statement outside of any.

    ``begun``: it has begun its work on the database, so it is not refused any more. ``own``: this process
    makes it, and not a client that a door serves; it waits for its turn as long as that takes.
    ``background``: nobody waits for it. ``retried``: seconds it has spent on retries.
    """

    begun: bool = False
    own: bool = False
    background: bool = False
    retried: float = 0.0


@cache
def _system_user() -> str | None:
    import getpass  # the command line answers `--help` without it

    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container whose user has no name
        return None


_caller: ContextVar[Caller] = ContextVar("caller", default=Caller())  # noqa: B039  # it is frozen
_call: ContextVar[Call | None] = ContextVar("call", default=None)


def current_caller() -> Caller:
    """Who makes the calls of this task."""
    return _caller.get()


def said(declared: Declared | None = None) -> Speaker:
    """Who says what this task stores; ``declared`` is the origin that the caller states."""
    caller = _caller.get()
    trust = lowered(caller.trust, declared)
    return {"origin": origin_of(trust), "door": caller.door, "by": caller.by, "trust": trust}


def work_for(caller: Caller) -> None:
    """Let this task, and those that it begins from now on, work for a caller."""
    _caller.set(caller)


@contextmanager
def calling(**changed: Any) -> Generator[None]:
    """Work for the same caller with other members."""
    token = _caller.set(replace(_caller.get(), **changed))
    try:
        yield
    finally:
        _caller.reset(token)


@contextmanager
def through(door: str, trust: int) -> Generator[None]:
    """Work for the same caller through a door inside its own, with at most its trust."""
    with calling(door=door, given=min(trust, _caller.get().given)):
        yield


def current_call() -> Call:
    """The call of this task; outside of any, a new one that has begun."""
    return _call.get() or Call(begun=True, own=not _caller.get().name)


@contextmanager
def one_call() -> Generator[None]:
    """Work for a new call, unless this task works for one."""
    if _call.get() is not None:
        yield
        return
    with _working_for(Call(own=not _caller.get().name)):
        yield


@contextmanager
def in_background() -> Generator[None]:
    """Do work that nobody waits for; calls go first."""
    with _working_for(Call(begun=True, background=True)):
        yield


@contextmanager
def for_all() -> Generator[None]:
    """Do work that all callers wait for, so that it is not refused."""
    with _working_for(Call(begun=True)):
        yield


@contextmanager
def _working_for(call: Call) -> Generator[None]:
    token = _call.set(call)
    try:
        yield
    finally:
        _call.reset(token)
