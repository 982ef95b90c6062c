"""The call that the current task works for: who made it, and how long it has been retried."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


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


caller: ContextVar[str] = ContextVar("caller", default="")
"""Who sends the calls, such as a token; doors with several callers set it."""

by_agent: ContextVar[bool] = ContextVar("by_agent", default=False)
"""Whether an agent makes the calls and not a person; see ``from_agent``."""

_call: ContextVar[Call | None] = ContextVar("call", default=None)


def current_call() -> Call:
    """The call of this task; outside of any, a new one that has begun."""
    return _call.get() or Call(begun=True, own=not caller.get())


@contextmanager
def one_call() -> Generator[None]:
    """Work for a new call, unless this task works for one."""
    if _call.get() is not None:
        yield
        return
    token = _call.set(Call(own=not caller.get()))
    try:
        yield
    finally:
        _call.reset(token)


@contextmanager
def from_agent() -> Generator[None]:
    """Work for calls of an agent."""
    token = by_agent.set(True)
    try:
        yield
    finally:
        by_agent.reset(token)


@contextmanager
def in_background() -> Generator[None]:
    """Do work that nobody waits for; calls go first."""
    token = _call.set(Call(begun=True, background=True))
    try:
        yield
    finally:
        _call.reset(token)


@contextmanager
def for_all() -> Generator[None]:
    """Do work that all callers wait for, so that it is not refused."""
    token = _call.set(Call(begun=True))
    try:
        yield
    finally:
        _call.reset(token)
