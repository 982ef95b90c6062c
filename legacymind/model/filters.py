"""The filters of thoughts. One line declares a filter for every operation, door and statement.

The line has the filter's type, its comparison and its descriptions. The type decides how a value is checked:
text is a key unless its type names another form, a number is moved into its range, and a ``Literal`` accepts
only its choices. ``db.filters`` derives the Cypher, ``services.search.filters`` the checks.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Annotated, Literal, TypedDict

from legacymind.model.about import about
from legacymind.model.members import Id
from legacymind.model.values import Moment, Names, Tags, Unit
from legacymind.origins import Origin

Scalar = str | int | float | bool | datetime
"""A value that one property is compared with."""

Operator = Literal["=", ">=", "<=", "<"]


@dataclass(frozen=True, slots=True)
class Where:
    """Compares a property of thoughts with a filter's value; ``property_name`` defaults to the filter's name.

    A list has no operator: all of its items must be in the property.
    """

    operator: Operator = "="
    property_name: str = ""


class TextForm(Enum):
    """The form to which the text of a filter is converted before it is compared."""

    KEY = auto()
    """1 to 512 bytes without control characters; the form of text that names no other."""
    MODE = auto()
    """The name of a mode, one of its aliases, or another key in lower case, without surrounding spaces."""
    THOUGHT_ID = auto()
    """A key without the prefix ``thoughts:``."""
    DAY_START = auto()
    """A time; a day becomes its first instant in UTC."""
    DAY_END = auto()
    """A time; a day becomes its last instant in UTC."""


ModeName = Annotated[str, TextForm.MODE]
ThoughtId = Annotated[Id, TextForm.THOUGHT_ID]
DayStart = Annotated[str, TextForm.DAY_START]
DayEnd = Annotated[str, TextForm.DAY_END]


class Filters(TypedDict, total=False):
    """Filters of thoughts. An index answers each of them."""

    session_id: Annotated[Id | None, Where(), about("Only this session", "Only thoughts of this session")]
    chain_id: Annotated[
        Id | None, Where(), about("Only this topic", "Only thoughts with this chain_id", tuning=True)
    ]
    previous_thought_id: Annotated[
        ThoughtId | None,
        Where(),
        about("Followed thought", "Only thoughts that follow this thought", tuning=True),
    ]
    revises_thought: Annotated[
        ThoughtId | None,
        Where(),
        about("Replaced thought", "Only thoughts that revise this thought", tuning=True),
    ]
    branch_from: Annotated[
        ThoughtId | None,
        Where(),
        about("Branched thought", "Only thoughts that branch from this thought", tuning=True),
    ]
    parent_id: Annotated[
        ThoughtId | None, Where(), about("Parent thought", "Only children of this thought", tuning=True)
    ]
    action_id: Annotated[
        Id | None,
        Where(),
        about("Only for this action", "Only thoughts that led to this action", tuning=True),
    ]
    origin: Annotated[
        Origin | None,
        Where(),
        about("Only e.g. user", "Only thoughts of this origin, such as `outside`", tuning=True),
    ]
    author: Annotated[str | None, Where(), about("Only this author", "Only thoughts of this author")]
    # Not an enum: OpenAI's strict mode requires every parameter, so a model would have to choose a mode.
    mode: Annotated[ModeName | None, Where(), about("Only e.g. stuck", "Only thoughts in this mode")]
    thought_type: Annotated[str | None, Where(), about("Only this kind", "Only thoughts of this type")]
    tags: Annotated[Tags | None, Where(), about("Has all", "Only thoughts with all of these tags")]
    confidence_gte: Annotated[
        Unit | None,
        Where(">=", "confidence"),
        about("Least confidence", "Only thoughts at least this confident", tuning=True),
    ]
    confidence_lte: Annotated[
        Unit | None,
        Where("<=", "confidence"),
        about("Most confidence", "Only thoughts at most this confident", tuning=True),
    ]
    date_from: Annotated[
        DayStart | None,
        Where(">=", "created_at"),
        about(
            "First day, YYYY-MM-DD",
            "Only thoughts from this day (YYYY-MM-DD, UTC, inclusive) or ISO 8601 time on",
        ),
    ]
    date_to: Annotated[
        DayEnd | None,
        Where("<=", "created_at"),
        about(
            "Last day, inclusive",
            "Only thoughts up to this day (YYYY-MM-DD, UTC, inclusive) or ISO 8601 time",
        ),
    ]
    # Also limits knowledge, by its validity, so it is more than a comparison.
    as_of: Annotated[
        Moment | None,
        about(
            "As known at ISO time",
            "Only thoughts up to this ISO 8601 time, and only observations true at that time. Default: now",
        ),
    ]
    # A relationship, and so no comparison. The last field, since it hides the function that the others call.
    about: Annotated[
        Names | None,
        about(
            "Names these entities",
            "Only thoughts whose text names one of these entities, by name or id",
        ),
    ]
