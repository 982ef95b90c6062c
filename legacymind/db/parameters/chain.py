"""Parameters of the statements in cypher/chain."""

from datetime import datetime
from typing import TypedDict


class OfSession(TypedDict):
    """A session of a namespace."""

    namespace: str
    session_id: str


class ReadChain(OfSession):
    """``after`` is the last step already read; -1 reads from the first."""

    after: int


class ReadOutside(OfSession):
    """``take`` is the most rows."""

    take: int


class ReadHeads(TypedDict):
    """A page of sessions in order of their ids, from ``after`` (inclusive) on."""

    namespace: str
    after: str
    take: int


class OfNamespace(TypedDict):
    """All of a namespace."""

    namespace: str


class OfAnchor(TypedDict):
    """An anchor: its namespace, and its root as hex."""

    namespace: str
    root: str


class StoreLeaves(OfAnchor):
    """The part ``number`` of an anchor's leaves; ``id`` is the same for all parts of one copy."""

    id: str
    number: int
    created_at: datetime
    leaves: list[str]


class ReadTree(OfSession):
    """A page of a thought tree; an empty ``root_id`` reads the session's roots. No later ones than ``known``.

    ``after`` is the first step of the page, ``depth`` the levels below a root (-1: none, not even the roots'
    own), ``max_nodes`` the most nodes returned, and ``text_length`` the characters of each content.
    """

    root_id: str
    known: datetime
    after: int
    take: int
    depth: int
    max_nodes: int
    text_length: int


class ReadAction(TypedDict):
    """A page of an action's thoughts; ``own_session`` shows its private ones, empty shows none.

    No later thoughts than ``known`` are read.
    """

    namespace: str
    action_id: str
    own_session: str
    known: datetime
    skip: int
    take: int
    text_length: int


class ReadReasoning(ReadAction):
    """``levels`` bounds the thoughts read above each."""

    levels: int


class SampleSessions(TypedDict):
    """At most ``take`` sessions of the newest ``thoughts``, with chains shorter than ``longest``."""

    namespace: str
    take: int
    thoughts: int
    longest: int
