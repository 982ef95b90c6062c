"""The features of what was found, as statements return them, and as ranking reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, Final, Generic, TypeVar

from legacymind.model.base import PROMPT, Kind
from legacymind.origins import AGENT, trust_of
from legacymind.text import words

BEGINNING: Final = 600
"""Characters of a text in which a word counts fully: long texts mention everything somewhere."""

_FIRST: Final = 300
"""Characters whose words are compared before those of whole texts."""

READ: Final = 2_000
"""Characters of a text that statements return and ranking reads."""


_SHORT_QUESTION: Final = 120
"""Characters below which a thought that ends in a question mark is a question, and answers nothing."""


def comparable(text: str) -> str:
    """The beginning of a text in which stems of ``text.fulltext.word_stems`` are found."""
    return words.comparable(text[:READ], ranked=True)


TRUSTED: Final = 0.06
"""Relevance, in the unit of a cosine, that one step of trust is worth: so near, two say about the same."""


class _Text:
    """The words of a text that was found, each form made once, and how far it is trusted."""

    __slots__ = ()
    text: str
    trust: int | None
    _read: str
    _first_words: frozenset[str] | None

    @property
    def trusted(self) -> float:
        """What orders it before less trusted ones of about equal relevance."""
        return TRUSTED * trust_of(self.trust)

    @property
    def read(self) -> str:
        """The text in which words are found; see ``comparable``."""
        self._read = self._read or comparable(self.text)
        return self._read

    @property
    def first_words(self) -> frozenset[str]:
        """The words at the beginning of the text, which tell most texts apart."""
        if self._first_words is None:
            self._first_words = frozenset(words.comparable(self.text[:_FIRST]).split())
        return self._first_words


@dataclass(slots=True)
class ThoughtFeatures(_Text):
    """A thought that was found; the order of the fields is that of ``cypher/_parts/thought_features``.

    ``text`` are its first 2,000 characters of ``length``. ``created`` are microseconds since 1970 UTC.
    ``chained``: it is in the chain of its session, as every thought that LegacyMind stored.
    ``touched``: something revises, solves or contradicts it. ``text_score`` is that of full text, if it was
    found by words. The link ids are null where it has no such link.
    """

    id: str
    cosine: float
    text_score: float | None
    text: str
    length: int
    author: str | None
    session_id: str | None
    step: int
    created: int
    salience: float
    accesses: int
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    standing: bool | None
    chained: bool
    touched: bool
    mode: str | None = None
    thought_type: str | None = None
    chain_id: str | None = None
    confidence: float | None = None
    trust: int | None = None
    origin: str | None = None
    door: str | None = None

    kind: Kind = "thought"
    named: bool = False
    _read: str = ""
    _first_words: frozenset[str] | None = None

    @property
    def is_question(self) -> bool:
        """Whether it is a short question, which answers nothing."""
        return self.length < _SHORT_QUESTION and words.is_question(self.text)

    @property
    def asks(self) -> bool:
        """Whether it is a question to memory: an agent's, or a prompt of the user's."""
        return (trust_of(self.trust) == AGENT or self.thought_type == PROMPT) and self.is_question

    @property
    def trusted(self) -> float:
        """As of any text; but what asks states nothing."""
        return 0.0 if self.asks else TRUSTED * trust_of(self.trust)

    @property
    def links(self) -> Sequence[str]:
        """The thoughts that this one follows, revises, branches from or is a child of."""
        own = (self.previous_thought_id, self.revises_thought, self.branch_from, self.parent_id)
        return [link for link in own if link is not None]


@dataclass(slots=True)
class KnowledgeFeatures(_Text):
    """An entity or observation; the order of the fields is that of ``cypher/_parts/knowledge_features``.

    ``name`` and ``entity_type`` are those of an entity. ``entity_id`` is of a fact, and ``entity`` has
    the name and type of its entity, if a search found it. ``text`` is an observation's content, or an
    entity's name and description.
    """

    id: str
    cosine: float
    text_score: float | None
    text: str
    length: int
    kind: Kind
    name: str | None
    entity_type: str | None
    fact_key: str | None
    entity_id: str | None
    created: int | None
    named: bool
    touched: bool
    valid_from: int | None = None
    valid_to: int | None = None
    standing: bool | None = None
    trust: int | None = None
    origin: str | None = None
    door: str | None = None
    entity: tuple[str | None, str | None] | None = None

    asks: bool = False
    author: None = None
    _read: str = ""
    _first_words: frozenset[str] | None = None


Features = ThoughtFeatures | KnowledgeFeatures
"""Anything that can be recalled."""

Node = TypeVar("Node", bound=Features, covariant=True)


@dataclass(slots=True)
class Ranked(Generic[Node]):
    """A candidate with its score, in the unit of a cosine, and the parts of that.

    ``copies`` counts it and those with nearly its text.
    """

    node: Node
    score: float
    parts: Mapping[str, float] = field(default_factory=dict[str, float])
    copies: int = 1

    @property
    def place(self) -> float:
        """What it is ordered by."""
        return self.score + self.node.trusted


def thought(row: Sequence[Any]) -> ThoughtFeatures:
    """The thought in a statement's list of features. Values of other types than ours count as missing."""
    made = ThoughtFeatures(*row)
    if _is_ours(made):
        return made
    if _text(made.text) is None:  # nothing that think stored has another content
        made.text, made.length, made.chained = "", 0, False
    made.author, made.session_id = _text(made.author), _text(made.session_id)
    made.step, made.accesses = int(_number(made.step, 0)), int(_number(made.accesses, 0))
    made.created = int(_number(made.created, 0))
    made.salience = _number(made.salience, 0.5)
    return made


def _is_ours(made: ThoughtFeatures) -> bool:
    """Whether all values have the types that LegacyMind stores; the usual case, tested at once."""
    return (
        type(made.text) is str
        and type(made.step) is type(made.created) is type(made.accesses) is int
        and type(made.salience) is float
        and type(made.author) in _TEXTS
        and type(made.session_id) in _TEXTS
    )


def knowledge(row: Sequence[Any]) -> KnowledgeFeatures:
    """The entity or observation in a statement's list of features, as ``thought`` reads one."""
    made = KnowledgeFeatures(*row)
    if _text(made.text) is None:
        made.text, made.length = "", 0
    made.name, made.entity_type = _text(made.name), _text(made.entity_type)
    made.entity_id = _text(made.entity_id)
    return made


_TEXTS: Final = (str, NoneType)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object, default: float) -> float:
    return value if isinstance(value, int | float) else default
