"""The statements of ``cypher/recall``, with the types of their parameters and rows.

Private thoughts of ``own_session`` are visible; if it is empty, none are. ``vector`` is that of the text that
memories are compared with. A list of features has the order of the class in ``ranking.features``.
"""

from datetime import datetime
from typing import Any, TypedDict

from legacymind.db.query import load
from legacymind.db.statements.schema import OverSlot

Features = list[Any]
"""The features of one node."""


class ThoughtRequest(TypedDict):
    """Filters by lists and mentions as data, and whether the steps that record redactions are wanted.

    ``nearest`` are ids and cosines of the thoughts by meaning, if they are known already.
    """

    lists: dict[str, list[str]]
    about: list[list[str]]
    redactions: bool
    nearest: list[tuple[str, float]] | None


class TaggedFound(OverSlot):
    """Ids and cosines, nearest first."""

    nearest: list[tuple[str, float]]


class ThoughtsFound(OverSlot):
    """Candidates for ranking; ``nearest`` are ids and cosines of all thoughts by meaning.

    ``ends`` are the lowest cosines of index searches that reached their limit.
    """

    candidates: list[Features]
    nearest: list[tuple[str, float]]
    ends: list[float]


class KnowledgeFound(OverSlot):
    """As ``ThoughtsFound``; the candidates are in the order of their cosine."""

    candidates: list[Features]
    nearest: list[tuple[str, float]]
    ends: list[float]


class CandidatesRow(OverSlot):
    """Features of thoughts."""

    candidates: list[Features]


class PlaybooksRow(OverSlot):
    """Playbooks: features, and the error signature and cosine of the problem that each solved."""

    playbooks: list[tuple[Features, str | None, float | None]]


class LateralRow(TypedDict):
    """Features, the id of the memory, the first relationship's type and the number of hops."""

    thoughts: list[tuple[Features, str, str, int]]
    knowledge: list[tuple[Features, str, str, int]]


class SuccessorsRow(TypedDict):
    """Of each memory its id, the id of what contradicts it, its contradictions and its traits.

    ``thoughts`` and ``knowledge`` have features, the id of the memory and the role.
    """

    known: list[tuple[str, str | None, int, list[str]]]
    thoughts: list[tuple[Features, str, str]]
    knowledge: list[tuple[Features, str, str]]


class TextRow(TypedDict):
    """A node's whole text."""

    id: str
    text: str


class AuthorsRow(TypedDict):
    """Authors, and the server's time."""

    authors: list[str]
    now: datetime


class IntroducedRow(TypedDict):
    """A word, and the author who gave it as their name, or null."""

    word: str
    author: str | None


find_thoughts = load("recall/find_thoughts", ThoughtsFound, writes=False)
find_tagged = load("recall/find_tagged", TaggedFound, writes=False)
find_knowledge = load("recall/find_knowledge", KnowledgeFound, writes=False)
find_standing = load("recall/find_standing", CandidatesRow, writes=False)
find_session = load("recall/find_session", CandidatesRow, writes=False)
find_playbooks = load("recall/find_playbooks", PlaybooksRow, writes=False)
find_lateral = load("recall/find_lateral", LateralRow, writes=False)
find_successors = load("recall/find_successors", SuccessorsRow, writes=False)
read_texts = load("recall/read_texts", TextRow, writes=False)
read_authors = load("recall/read_authors", AuthorsRow, writes=False)
find_introduced = load("recall/find_introduced", IntroducedRow, writes=False)
