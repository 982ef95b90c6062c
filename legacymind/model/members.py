"""Members that several records have, each with its description."""

from datetime import datetime
from enum import Enum, auto
from typing import Annotated, Any, get_args

from legacymind.model.about import about
from legacymind.origins import Origin

# --- identity and origin -------------------------------------------------------------------------


class IdForm(Enum):
    """The form of an id in a result. GraphQL has a type for ids, and one form."""

    BARE = auto()
    """The id in the database."""
    PREFIXED = auto()
    """That of a thought after ``thoughts:``; GraphQL leaves the prefix out."""


Id = Annotated[str, IdForm.BARE]
PrefixedId = Annotated[str, IdForm.PREFIXED]

StoredId = Annotated[Id, about("Id, unique in the database")]
OfThought = Annotated[Id, about("Id of the thought")]
Branches = Annotated[
    int | None, about("Number of branches of the session, if machines continued it apart; else null")
]
OfSession = Annotated[Id, about("Id of the session")]
SessionOf = Annotated[Id | None, about("Id of the session of the thought; null outside every session")]
LabelOf = Annotated[Id | None, about("Label (`chainId`) that groups thoughts of several sessions")]
ActionOf = Annotated[Id | None, about("Id of the action that the thought led to; null without one")]
StepOf = Annotated[int | None, about("Place in the session's hash chain, from 0; null outside every chain")]
TypeOf = Annotated[str | None, about("Type, such as `plan` or `decision`. By default the mode")]
AuthorOf = Annotated[
    str | None, about("Who thought it; null if nobody was named, and for an entity or a fact")
]
NamespaceOf = Annotated[str | None, about("Its namespace, if another than that of the answer")]
CreatedAt = Annotated[
    datetime | None, about("When it was thought; for an entity or a fact, when it was stored")
]
ConfidenceOf = Annotated[float | None, about("Confidence of the author, from 0 to 1; null if unknown")]
EntityType = Annotated[str, about("Type of the entity, such as `person`; empty if it has none")]
Properties = Annotated[dict[str, Any] | None, about("Other properties of the entity; null without any")]
Source = Annotated[str | None, about("Origin: a document, person or URL; null if none was given")]
LearnedFrom = Annotated[list[Id], about("Ids of the thoughts that led to the fact")]

# --- trust -------------------------------------------------------------------------

OriginOf = Annotated[
    str | None,
    about(
        "Who said it, by the door: `user`, `agent`, `derived` (from other memories), `import` or `outside` "
        "(a tool or a page); null if it was made in the database",
        names=get_args(Origin),
    ),
]
DoorOf = Annotated[str | None, about("Door through which it came, such as `mcp` or `command line`")]
ByOf = Annotated[str | None, about("Who sent it: a token, an address or the system's user")]
TrustOf = Annotated[
    int | None,
    about(
        "How far it is trusted: 3 the user, 2 an agent, 1 an import, 0 from outside; a confirmation of the "
        "user raises it"
    ),
]
SaidBy = Annotated[str, about("Who said it, such as `user`, `agent` or `outside, via web`")]

# --- time and state ------------------------------------------------------------------------------

TrueFrom = Annotated[datetime | None, about("From when it is true")]
TrueUntil = Annotated[datetime | None, about("Until when it is true; null while it has no end")]
RecordedAt = Annotated[datetime | None, about("When it was stored")]
AccessCount = Annotated[int | None, about("How many thoughts have recalled it")]
RedactedAt = Annotated[datetime | None, about("When the text was removed; null unless it was")]
RevisedBy = Annotated[Id | None, about("Id of the latest revision or of what replaced it; null if none")]
SolvedBy = Annotated[Id | None, about("Id of the best solution of this problem; null if there is none")]
ContradictedBy = Annotated[Id | None, about("Id of what contradicts it most strongly; null if nothing does")]
OutsideChain = Annotated[
    bool | None,
    about("True if no chain proves who wrote it, as it is no step; else null"),
]
Standing = Annotated[
    bool | None,
    about("True for a standing preference or instruction; else null"),
]

# --- links of a thought --------------------------------------------------------------------------

Follows = Annotated[Id | None, about("Id of the thought that it follows; null if it follows none")]
Revises = Annotated[Id | None, about("Id of the thought that it revises; null if it revises none")]
BranchesFrom = Annotated[Id | None, about("Id of the thought from which it branches; null if from none")]
Parent = Annotated[Id | None, about("Id of the thought above it in the tree of its session; null at the top")]

Ask = Annotated[str | None, about("What to ask the user, who alone may do it; null if it was done")]

# --- pages and calls -----------------------------------------------------------------------------

Success = Annotated[bool, about("Always true, since a failure is an error")]
Repeated = Annotated[bool, about("Whether an earlier call with the same key stored it")]
Deferred = Annotated[
    bool, about("Whether the embedder was down, so that only words find it until it is embedded")
]
DroppedTags = Annotated[list[str], about("Tags that were not stored, since the setting `tags` omits them")]
Warnings = Annotated[
    list[str], about("Soft limits that were exceeded, and links that wait, as sentences; everything was done")
]
