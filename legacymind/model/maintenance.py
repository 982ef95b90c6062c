"""Results of maintenance: what a job found or changed."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal

from legacymind.model.about import about
from legacymind.model.base import Answer
from legacymind.model.members import Ask, Id, OfThought, SessionOf
from legacymind.origins import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class WeakRecall:
    """A weak ``RECALLS`` relationship: its ends, its stored weight, and what decay has left of it.

    ``accessed`` is the time of its last use: when it was created, or its thought was recalled.
    """

    thought_id: str
    memory_id: str
    weight: float
    decayed: float
    accessed: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneResult(Answer):
    """The weak relationships that were removed, or would be: ``applied`` is false for a plan.

    ``thoughts`` is the number of thoughts whose relationships were read. ``samples`` are the weakest that a
    plan found.
    """

    applied: bool
    thoughts: int
    recalls: int
    samples: list[WeakRecall] = field(default_factory=list[WeakRecall])


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceCount:
    """A number that a job reports."""

    name: Annotated[str, about("What was counted")]
    value: Annotated[float, about("How many, or how much")]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceItem:
    """One thing that a job found or changed."""

    id: Annotated[Id, about("Id of the thought or session, or name of the threshold or index")]
    text: Annotated[str, about("What was found or changed about it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceResult(Answer):
    """What a maintenance job found, and changed."""

    subcommand: Annotated[str, about("Job that ran")]
    applied: Annotated[bool, about("Whether something was changed")]
    summary: Annotated[str, about("Result in a sentence")]
    counts: Annotated[list[MaintenanceCount], about("Numbers of the job")]
    items: Annotated[list[MaintenanceItem], about("Findings or examples")] = field(
        default_factory=list[MaintenanceItem]
    )
    left_out: Annotated[int, about("Number of items that did not fit in the result")] = 0


Verdict = Literal["keep", "crystallise", "dump"]
"""What the curator does with a thought; see ``CuratedThought``."""

CurateAction = Literal["plan", "apply", "restore"]
"""Whether the curator only judges, acts, or undoes what it did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CuratedThought:
    """A thought and the curator's verdict."""

    id: OfThought
    verdict: Annotated[Verdict, about("What happens with it")]
    value: Annotated[float, about("Value in recall, from 0 to 1")]
    reason: Annotated[str, about("What the value is made of")]
    session_id: SessionOf
    text: Annotated[str, about("Its beginning")]
    summary_id: Annotated[Id | None, about("Id of the thought that summarises it now; null without one")] = (
        None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationResult(Answer):
    """What the curator judged, and did."""

    action: Annotated[CurateAction, about("What was asked for")]
    applied: Annotated[bool, about("Whether something was changed")]
    ask: Ask = None
    judged: Annotated[int, about("Number of old thoughts that recall can find")] = 0
    kept: Annotated[int, about("Number of those that stay active")] = 0
    protected: Annotated[
        int,
        about("Those that stay whatever their value: pinned, standing, playbooks, open problems, summaries"),
    ] = 0
    crystallised: Annotated[
        int, about("Number of thoughts that a summary replaces in recall, or would replace")
    ] = 0
    dumped: Annotated[int, about("Number of thoughts that leave recall, or would leave it")] = 0
    summaries: Annotated[int, about("Number of summaries that those become, or go back to")] = 0
    changed_meanwhile: Annotated[
        int, about("Number of thoughts that stay, since they were recalled or pinned after the judgement")
    ] = 0
    restored: Annotated[int, about("Number of thoughts that are active again")] = 0
    thoughts: Annotated[
        list[CuratedThought], about("Some thoughts that leave recall, the least valuable first")
    ] = field(default_factory=list[CuratedThought])
    left_out: Annotated[int, about("Number of other thoughts that leave recall")] = 0


TokenTrust = Literal["user", "agent"]
"""Whose calls have the token."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """What a token allows: calls of a role in some namespaces, by default the first.

    ``name`` says whose it is.
    """

    id: str
    name: str
    namespaces: list[str]
    role: Role
    trust: TokenTrust
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class NewToken(Token):
    """A token with its text, which is not stored and cannot be read again."""

    text: str = field(repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class NamespaceUse:
    """What a namespace has, and the quota it may have. ``text`` counts characters; None is no limit."""

    name: str
    thoughts: int
    entities: int
    facts: int
    text: int
    tokens: int
    quota_thoughts: int | None = None
    quota_text: int | None = None
