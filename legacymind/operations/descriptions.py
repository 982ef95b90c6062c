"""Reads the descriptions of annotations and adds range and default to the long ones."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from legacymind.model.about import About, metadata
from legacymind.model.values import Clamped


@dataclass(frozen=True, slots=True)
class Description:
    """The descriptions of one parameter; ``long`` includes range and default."""

    short: str = ""
    long: str = ""
    tuning: bool = False


def describe(annotation: Any, default: Any) -> Description:
    """The descriptions that an annotation declares; empty ones if it declares none.

    ``default`` is MISSING for a required parameter. An outer description replaces an inner one.
    """
    declared = metadata(annotation)
    about = next((one for one in reversed(declared) if isinstance(one, About)), None)
    if about is None:
        return Description()
    sentences = [about.long.rstrip(".") + "."]
    if limits := next((one for one in declared if isinstance(one, Clamped)), None):
        sentences.append(f"Range: {limits.low:,} to {limits.high:,}.")
    if default is not dataclasses.MISSING and "default" not in about.long.lower():
        sentences.append(f"Default: {_written(default)}.")
    return Description(about.short, " ".join(sentences), about.tuning)


def _written(default: Any) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    return "none" if default in (None, "") else str(default)
