"""The types of cognitive frameworks that cross doors."""

from dataclasses import dataclass
from typing import Literal

Framework = Literal["ooda", "socratic", "first_principles", "lateral", "root_cause", "systems", "dialectical"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkOutput:
    """What one framework found in a text; ``meta`` counts what it found it by."""

    framework: Framework
    insights: list[str]
    questions: list[str]
    next_steps: list[str]
    meta: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkAnalysis:
    """What the frameworks of a profile found in a thought, the weightiest framework first.

    ``meta`` names the profile, what of the text was read, and of each framework its weight, how much of
    each list it gave, and its own figures as ``framework.figure``.
    """

    insights: list[str]
    questions: list[str]
    next_steps: list[str]
    meta: dict[str, str]
