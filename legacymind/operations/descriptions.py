"""Reads the descriptions of annotations and adds range and default to the long ones."""

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Any, Required, get_args, get_origin

from legacymind.model.about import About
from legacymind.model.values import Clamped


@dataclass(frozen=True, slots=True)
class Description:
    """The descriptions of one parameter; ``long`` includes range and default."""

    short: str = ""
    long: str = ""


def describe(annotation: Any, default: Any) -> Description:
    """The descriptions that an annotation declares; empty ones if it declares none.

    ``default`` is MISSING for a required parameter. An outer description replaces an inner one.
    """
    metadata = _metadata(annotation)
    found = next((one for one in reversed(metadata) if isinstance(one, About)), None)
    if found is None:
        return Description()
    sentences = [found.long.rstrip(".") + "."]
    if limits := next((one for one in metadata if isinstance(one, Clamped)), None):
        sentences.append(f"Range: {limits.low:,} to {limits.high:,}.")
    if default is not dataclasses.MISSING and "default" not in found.long.lower():
        sentences.append(f"Default: {_written(default)}.")
    return Description(found.short, " ".join(sentences))


def _metadata(annotation: Any) -> list[Any]:
    """The metadata of an annotation; that of the members of a union comes first."""
    if get_origin(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        return [*_metadata(inner), *metadata]
    if get_origin(annotation) is Required:
        return _metadata(get_args(annotation)[0])
    if get_origin(annotation) is not None and type(None) in get_args(annotation):
        return [one for member in get_args(annotation) for one in _metadata(member)]
    return []


def _written(default: Any) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    return "none" if default in (None, "") else str(default)
