"""Results of reading one node or one entity in full, and of forgetting knowledge."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from legacymind.model.about import about
from legacymind.model.base import Answer, Hit, Kind, ListAnswer
from legacymind.model.members import (
    Ask,
    ContradictedBy,
    EntityType,
    Id,
    LearnedFrom,
    OutsideChain,
    Properties,
    RecordedAt,
    RevisedBy,
    SaidBy,
    SolvedBy,
    Source,
    StoredId,
    TrueFrom,
    TrueUntil,
)
from legacymind.model.stored import EntityMembers, ObservationMembers, ThoughtMembers

RelationDirection = Literal["out", "in"]
"""``out``: the relation leads from the entity that was read; ``in``: it leads to it."""

ForgottenKind = Literal["thought", "entity", "observation", "relation", "description"]
"""``quotation``: a text or a label that other nodes have from them; ``other``: sessions, actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityName:
    """An entity that another record names."""

    id: Annotated[Id, about("Id of the entity")]
    name: Annotated[str, about("Name of the entity")]
    entity_type: EntityType


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtDetails(ThoughtMembers):
    """What is stored about a thought, but its text and its vector."""

    framework_analysis: Annotated[
        dict[str, Any] | None, about("Analysis by cognitive frameworks; null without one")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationDetails(ObservationMembers):
    """The entity of a fact, its source, and the time in which it is true."""

    entity: Annotated[EntityName | None, about("Entity that the fact is about")]
    learned_from: LearnedFrom
    supersedes: Annotated[list[Id], about("Ids of the facts that it replaced")]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedEntity:
    """An entity that was merged into another, as it was, with the record of the merge.

    The facts and relations that it brought along have its id as ``merged_from``.
    """

    id: Annotated[Id, about("Id that it had, which means the other entity now")]
    name: Annotated[str, about("Name that it had, which means the other entity now")]
    entity_type: EntityType
    description: Annotated[str | None, about("Description that it had; null without one")]
    data: Properties
    merged_at: Annotated[datetime, about("When it was merged")]
    merged_by: Annotated[str | None, about("Who merged it; null if no author was given")]
    reason: Annotated[str | None, about("Reason for the merge; null if none was given")]
    observations: Annotated[int, about("Number of facts that it brought along")]
    relations: Annotated[int, about("Number of relations that it brought along")]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDetails(EntityMembers):
    """An entity. The names and ids of those that were merged into it mean this entity."""

    said_by: SaidBy
    data: Properties
    merged: Annotated[
        list[MergedEntity], about("Entities that were merged into it, in the order of the merges")
    ] = field(default_factory=list[MergedEntity])


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeResult(Answer):
    """A thought, an observation or an entity in full.

    One of ``thought``, ``observation`` and ``entity`` is set.
    """

    id: Annotated[Id, about("Id of the node that was read")]
    kind: Annotated[Kind, about("Whether it is a thought, an entity or an observation")]
    text: Annotated[
        str, about("Text of a thought or fact, or description of an entity; empty for a redacted thought")
    ]
    said_by: SaidBy
    length: Annotated[int, about("Characters of the whole text")]
    embedded: Annotated[bool, about("Whether it has a vector")]
    next: Annotated[str | None, about("`after` that reads on; null at the end of the text")] = None
    outside_chain: OutsideChain = None
    merged_id: Annotated[
        Id | None, about("Id that was asked for, if its node was merged into this one; else null")
    ] = None
    revised_by: RevisedBy = None
    contradicted_by: ContradictedBy = None
    solved_by: SolvedBy = None
    thought: Annotated[ThoughtDetails | None, about("What a thought has; null for other kinds")] = None
    observation: Annotated[ObservationDetails | None, about("What a fact has; null for other kinds")] = None
    entity: Annotated[EntityDetails | None, about("What an entity has; null for other kinds")] = None
    facts: Annotated[list[Hit], about("At most 20 facts about an entity, the latest first")] = field(
        default_factory=list[Hit]
    )
    more_facts: Annotated[
        bool | None,
        about("True if there are others: list them by a search `about` the entity, without query"),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An observation about an entity."""

    id: StoredId
    content: Annotated[str, about("Text of the fact")]
    said_by: SaidBy
    source: Source
    valid_from: TrueFrom
    valid_to: TrueUntil
    recorded_at: RecordedAt
    learned_from: LearnedFrom
    revised_by: Annotated[Id | None, about("Id of the fact that replaced it; null if none did")]
    merged_from: Annotated[
        Id | None, about("Id of the entity that it was about before a merge; null without one")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEntity(EntityName):
    """An entity of a list."""

    description: Annotated[str | None, about("Description, cut at 200 characters; null without one")]
    observations: Annotated[int, about("Number of its facts at that time")]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityList(ListAnswer):
    """A page of entities."""

    entities: Annotated[list[ListedEntity], about("Entities in the order of their names")]
    as_of: Annotated[datetime, about("Time at which they and their facts must be true")]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRelation:
    """A relation between the entity that was read and another one."""

    id: Annotated[Id | None, about("Id of the relation; null if it was created outside LegacyMind")]
    type: Annotated[str, about("Type, such as `WORKS_ON`")]
    direction: Annotated[RelationDirection, about("Whether it leads from the entity or to it")]
    other: Annotated[EntityName, about("Entity at the other end")]
    said_by: SaidBy
    source: Source
    valid_from: TrueFrom
    valid_to: TrueUntil
    recorded_at: RecordedAt
    properties: Annotated[dict[str, Any], about("Properties that LegacyMind does not define")]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityResult(ListAnswer):
    """An entity with a page of its facts and of its relations. Both lists are cut at the same length."""

    entity: Annotated[EntityDetails, about("The entity")]
    as_of: Annotated[datetime, about("Time at which facts and relations must be true")]
    observations: Annotated[list[Fact], about("Facts of the page, latest first")]
    observation_count: Annotated[int, about("Number of all its facts at that time, or of all with `history`")]
    relations: Annotated[
        list[EntityRelation], about("Relations of the page, by type, then by the name of the other entity")
    ]
    relation_count: Annotated[
        int, about("Number of all its relations at that time, or of all with `history`")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What a call removed of one kind, or would remove."""

    kind: Annotated[ForgottenKind, about("What it is")]
    count: Annotated[int, about("Number of them")]
    sha256: Annotated[
        str | None, about("SHA-256 of the sorted lines `id digest` of what was removed; null in a plan")
    ] = None
    examples: Annotated[
        list[str], about("In a plan, beginnings of some texts, after their ids; else empty")
    ] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Remainder:
    """A place outside the memory that still has what was removed."""

    where: Annotated[str, about("The place")]
    until: Annotated[str, about("Until when it has it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetResult(Answer):
    """The plan of what is forgotten; with ``confirm``, the certificate of what was."""

    done: Annotated[bool, about("Whether it was forgotten; false for a plan")]
    counts: Annotated[list[Forgotten], about("What goes, by kind; empty if there is nothing left")]
    stays: Annotated[list[str], about("What stays in the memory, and why")]
    remains: Annotated[list[Remainder], about("Where the texts remain outside the memory; empty in a plan")]
    at: Annotated[datetime, about("When it was planned or done")]
    ask: Ask = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedNow(EntityName):
    """An entity that a call merged, or would merge, with the facts and relations that it brings along."""

    observations: Annotated[int, about("Number of facts that it brings along")]
    relations: Annotated[int, about("Number of relations that it brings along")]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeResult(Answer):
    """What a call merged into an entity, or would merge with ``dry_run``."""

    kept: Annotated[EntityName, about("Entity that the others became part of")]
    merged: Annotated[list[MergedNow], about("Entities that were merged into it; empty if all were before")]
    links: Annotated[
        int, about("Number of relationships to thoughts and to earlier merged entities that moved")
    ]
    at: Annotated[datetime, about("When they were merged")]
    dry_run: Annotated[bool, about("Whether nothing was changed")]
    ask: Ask = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePair:
    """Two entities that may be the same thing."""

    first: Annotated[EntityName, about("Entity that was compared")]
    second: Annotated[EntityName, about("Entity that is like it")]
    score: Annotated[
        float,
        about("0.4 times the cosine plus 0.6 times the likeness, or the likeness without a cosine"),
    ]
    likeness: Annotated[float, about("Likeness of the names, from 0 to 1")]
    cosine: Annotated[float | None, about("Cosine of the vectors; null if one has none")]


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatesResult(ListAnswer):
    """A page of pairs of likely duplicates."""

    pairs: Annotated[list[DuplicatePair], about("Pairs, in the order of the first names")]
    compared: Annotated[int, about("Number of entities that were compared with others")]
    mixed_scripts: Annotated[
        list[EntityName],
        about(
            "Those of which a word mixes scripts, such as Latin and Cyrillic: a name that looks like another"
        ),
    ]
