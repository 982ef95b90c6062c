"""Checks the values of search filters. ``model.filters`` declares the filters."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final, cast

from legacymind.db.filters import ABOUT, FILTERS, Conditions, Filter
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


def unknown_mode(found: Conditions) -> str | None:
    """A note for a search by a mode that LegacyMind does not have."""
    mode = found.get("mode")
    if mode is None or mode in MODES:
        return None
    return (
        f"No mode is named {str(mode)[:40]!r}, so only thoughts of other tools can have it. "
        f"The modes are {', '.join(MODES)}."
    )


def _checked(one: Filter, value: Any) -> Any:
    if isinstance(value, str) and one.type is str:
        return _CHECKS[one.form](one.name, value)
    if isinstance(value, datetime):
        return checks.moment(value)
    if isinstance(value, list):
        items = cast("list[str]", value)
        return list(dict.fromkeys(checks.key(f"An item of {one.name}", item).lower() for item in items))
    return value
