"""Words the faults that pydantic finds in arguments, without its terms and without names of Python types."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import ErrorDetails

from legacymind.model.values import NO_TIME

_REQUIREMENTS: Final[Mapping[str, str]] = {
    "string_unicode": "must be text in UTF-8",
    "string": "must be text",
    "int": "must be a whole number",
    "float": "must be a number",
    "finite": "must be a finite number",
    "bool": "must be true or false",
    "list": "must be a list",
    "sequence": "must be a list",
    "datetime": NO_TIME,
    "dict": "must be an object",
    "dataclass": "must be an object",
    "model": "must be an object",
    "missing": "is missing",
    "extra": "is unknown",
    "unexpected": "is unknown",
}
"""The requirement by the kind of an error, or by the first word of its kind."""

_BOUNDS: Final[Mapping[str, str]] = {
    "ge": "must be at least",
    "gt": "must be greater than",
    "le": "must be at most",
    "lt": "must be less than",
    "expected": "must be",
}
"""The words before the value in an error's context."""


def fault(error: ErrorDetails) -> str:
    """What is wrong with one value, in words that suit every door; the value is not repeated."""
    context: dict[str, Any] = error.get("ctx") or {}
    kind = error["type"]
    if kind == "value_error":
        return error["msg"].removeprefix("Value error, ")[:200]
    if kind == "union_tag_invalid":
        return f"must have as kind one of {context['expected_tags']}, and not {context['tag'][:40]!r}"
    if kind == "union_tag_not_found":
        return "must be an object with a kind"
    requirement = _REQUIREMENTS.get(kind) or _REQUIREMENTS.get(kind.partition("_")[0])
    if requirement is None:
        bound = next((name for name in _BOUNDS if name in context), None)
        requirement = "is invalid" if bound is None else f"{_BOUNDS[bound]} {context[bound]}"[:200]
    return requirement
