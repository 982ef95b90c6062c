"""The filters of thoughts as Cypher, derived from the fields of ``model.filters.Filters``.

An index answers every filter, so each property must be in one: a list in the full-text index
``thought_tags``, any other in the vector index ``thought_embedding_a`` (cypher/schema).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, TypedDict, cast, get_origin, get_type_hints

from legacymind.model.about import metadata, unwrap
from legacymind.model.base import REDACTION
from legacymind.model.filters import Filters, Operator, Scalar, TextForm, Where

Conditions = Mapping[str, Scalar | list[str]]
"""The checked values of filters, by the name of the filter."""


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter: a property of thoughts, and the type of the value that it is compared with."""

    name: str
    property_name: str
    operator: Operator
    type: Any
    form: TextForm

    @property
    def is_list(self) -> bool:
        """Whether the value is a list. No vector index holds lists, so statements get them as data."""
        return get_origin(self.type) is list

    @property
    def condition(self) -> str:
        """The filter as a Cypher condition on the thought ``t``, unless it is a list."""
        return f"t.{self.property_name} {self.operator} ${self.name}"


def declared(record: type) -> dict[str, Filter]:
    """The filters of a TypedDict, by name: its fields with a ``Where``."""
    made: dict[str, Filter] = {}
    for name, annotation in get_type_hints(record, include_extras=True).items():
        kind, _ = unwrap(annotation)
        marks = metadata(annotation)
        form = next((mark for mark in marks if isinstance(mark, TextForm)), TextForm.KEY)
        for mark in marks:
            if isinstance(mark, Where):
                made[name] = Filter(name, mark.property_name or name, mark.operator, kind, form)
    return made


class RecallFilters(TypedDict):
    """What think may recall: thoughts that are not dormant, of a span of time without its end."""

    hot: Annotated[bool, Where()]
    since: Annotated[datetime, Where(">=", "created_at")]
    before: Annotated[datetime, Where("<", "created_at")]


ABOUT: Final = "about"
"""The filter by the entities that a thought mentions, as their ids. It is no property of thoughts."""

FILTERS: Final = declared(Filters)
"""Every filter of a search, by its name."""

CONDITIONS: Final = FILTERS | declared(RecallFilters)
"""Everything that may replace the filter marks of a statement. No other condition is ever added to one."""


class Predicate(TypedDict):
    """What no vector index answers, as data.

    A thought passes when its properties contain all items of ``lists``. ``about`` has a list of ids of
    entities, of which it mentions one, or nothing. The steps that record redactions pass only with
    ``redactions``.
    """

    lists: dict[str, list[str]]
    about: list[list[str]]
    redactions: bool


def predicate(conditions: Conditions) -> Predicate:
    """The filters that statements get as data."""
    made: Predicate = {
        "lists": {},
        "about": [],
        "redactions": conditions.get("thought_type") == REDACTION,
    }
    for name, value in conditions.items():
        if name == ABOUT:
            made["about"].append(cast("list[str]", value))
        elif isinstance(value, list):
            made["lists"].setdefault(CONDITIONS[name].property_name, []).extend(value)
    return made


def in_vector_index(conditions: Conditions) -> dict[str, Scalar]:
    """The conditions that a vector index answers: all but lists."""
    return {name: value for name, value in conditions.items() if not isinstance(value, list)}
