"""The filters of thoughts: one line adds a filter, with its name, its value's type and its comparison.

Every filtered property must be in the vector index ``thought_embedding_a`` (cypher/schema), because a filter
is answered inside that index.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal, TypedDict, cast, get_args, get_type_hints

Scalar = str | int | float | bool | datetime
"""A value that one property can be compared with."""

Operator = Literal["=", ">=", "<="]


@dataclass(frozen=True, slots=True)
class Is:
    """A comparison of a thought's property with a filter's value; ``of`` defaults to the filter's name."""

    operator: Operator = "="
    of: str = ""


class FilterValues(TypedDict, total=False):
    """The values of the filters that a search uses, checked."""

    session_id: Annotated[str, Is()]
    chain_id: Annotated[str, Is()]
    previous_thought_id: Annotated[str, Is()]
    revises_thought: Annotated[str, Is()]
    branch_from: Annotated[str, Is()]
    parent_id: Annotated[str, Is()]
    action_id: Annotated[str, Is()]
    origin: Annotated[str, Is()]
    author: Annotated[str, Is()]
    mode: Annotated[str, Is()]
    thought_type: Annotated[str, Is()]
    confidence_gte: Annotated[float, Is(">=", "confidence")]
    confidence_lte: Annotated[float, Is("<=", "confidence")]
    date_from: Annotated[datetime, Is(">=", "created_at")]
    date_to: Annotated[datetime, Is("<=", "created_at")]


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter: the property ``of`` a thought, compared with the parameter ``name``."""

    name: str
    type: type[Scalar]
    operator: Operator
    of: str

    @property
    def condition(self) -> str:
        """The filter as a Cypher condition on the thought ``t``."""
        return f"t.{self.of} {self.operator} ${self.name}"


def declared(values: type) -> dict[str, Filter]:
    """The filters that a TypedDict of their values declares."""
    found: dict[str, Filter] = {}
    for name, hint in get_type_hints(values, include_extras=True).items():
        kind, comparison = get_args(hint)
        assert isinstance(comparison, Is)
        found[name] = Filter(name, kind, comparison.operator, comparison.of or name)
    return found


FILTERS: Final = declared(FilterValues)
"""Every condition that a search may add, by the filter's name."""


class Predicate(TypedDict):
    """Filters as data, for statements with the same text for all filters.

    Each map holds values by property. A thought passes when its properties equal all values of ``exact``, are
    at least those of ``least`` and at most those of ``most``. A thought without the property does not pass.
    """

    exact: dict[str, Scalar]
    least: dict[str, Scalar]
    most: dict[str, Scalar]


def predicate(values: FilterValues) -> Predicate:
    """The values of filters, by property and comparison."""
    made: Predicate = {"exact": {}, "least": {}, "most": {}}
    for name, value in cast("Mapping[str, Scalar]", values).items():
        one = FILTERS[name]
        match one.operator:
            case "=":
                made["exact"][one.of] = value
            case ">=":
                made["least"][one.of] = value
            case "<=":
                made["most"][one.of] = value
    return made
