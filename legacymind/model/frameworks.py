"""Results of cognitive frameworks."""

from dataclasses import dataclass
from typing import Literal

Framework = Literal["ooda", "socratic", "first_principles", "lateral", "root_cause", "systems", "dialectical"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkOutput:
    """The analysis of a text by one framework; ``meta`` has its counts."""

    framework: Framework
    insights: list[str]
    questions: list[str]
    next_steps: list[str]
    meta: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkAnalysis:
    """The analysis of a thought by the frameworks of a profile, in order of their weights.

    ``meta`` has the profile, the part of the text that was read, and for each framework its weight, its
    number of items in each list, and its own figures as ``framework.figure``.
    """

    insights: list[str]
    questions: list[str]
    next_steps: list[str]
    meta: dict[str, str]
