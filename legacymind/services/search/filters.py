"""Checks the values of search filters. ``model.filters`` declares the filters."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from typing import Any, Final, cast

from legacymind.db.filters import ABOUT, FILTERS, Conditions, Filter
from legacymind.model.base import Hit
from legacymind.model.filters import Filters, Scalar, TextForm
from legacymind.services.shared import checks
from legacymind.text.modes import MODES, mode_of


def _mode(name: str, value: str) -> str:
    return mode_of(value) or checks.key(name, value.strip().lower())


_CHECKS: Final[Mapping[TextForm, Callable[[str, str], Scalar | None]]] = {
    TextForm.KEY: checks.key,
    TextForm.MODE: _mode,
    TextForm.THOUGHT_ID: checks.thought_id,
    TextForm.DAY_START: partial(checks.day, end=False),
    TextForm.DAY_END: partial(checks.day, end=True),
}
"""The check of each form of text. It converts the text to what is stored, or raises InvalidInput."""


def conditions(values: Filters) -> Conditions:
    """The checked filters by name, without those that are not given or empty; raises InvalidInput.

    A list is in lower case, without duplicates; ``about`` still has names or ids. ``as_of`` limits
    ``date_to``: what was known at a time was thought by then.
    """
    sent = cast("Mapping[str, Any]", values)
    checked = {
        name: _checked(one, sent[name]) for name, one in FILTERS.items() if sent.get(name) not in (None, [])
    }
    if names := values.get(ABOUT):
        checked[ABOUT] = [checks.key("An item of about", name).strip() for name in names]
    as_of = checks.moment(values.get("as_of"))
    if as_of is not None:
        checked["date_to"] = min(cast("datetime", checked.get("date_to", as_of)), as_of)
    return checked


_NAMED: Final = ("session_id", "chain_id", "author", "thought_type")
_SHOWN: Final = 3


def unknown_mode(found: Conditions) -> str | None:
    """A note for a search by a mode that LegacyMind does not have."""
    mode = found.get("mode")
    if mode is None or mode in MODES:
        return None
    return (
        f"No mode is named {str(mode)[:40]!r}, so only thoughts of other tools can have it. "
        f"The modes are {', '.join(MODES)}."
    )


def empty_interval(found: Conditions) -> str | None:
    """A note for a search between two times of which the first is later."""
    begin, end = (
        cast("datetime | None", found.get("date_from")),
        cast("datetime | None", found.get("date_to")),
    )
    if begin is None or end is None or begin <= end:
        return None
    return f"date_from ({begin.isoformat()}) is after date_to ({end.isoformat()}), so nothing can pass both."


def named(found: Conditions) -> dict[str, str]:
    """The filters by a name that somebody chose, with their values."""
    return {name: str(found[name]) for name in _NAMED if name in found}


def unknown_values(found: Conditions, recent: Sequence[Hit]) -> str | None:
    """A note with the nearest names in use for those that no recent thought has."""
    notes: list[str] = []
    for name, value in named(found).items():
        used = list(dict.fromkeys(str(own) for hit in recent if (own := getattr(hit, name))))
        if used and value not in used:
            near = get_close_matches(value, used, _SHOWN) or used[:_SHOWN]
            notes.append(
                f"No recent thought has {name} {value[:40]!r}; there are {', '.join(map(repr, near))}."
            )
    return " ".join(notes) or None


def _checked(one: Filter, value: Any) -> Any:
    if isinstance(value, str) and one.type is str:
        return _CHECKS[one.form](one.name, value)
    if isinstance(value, datetime):
        return checks.moment(value)
    if isinstance(value, list):
        items = cast("list[str]", value)
        return list(dict.fromkeys(checks.key(f"An item of {one.name}", item).lower() for item in items))
    return value
