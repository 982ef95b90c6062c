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
    """The analysis of a thought by the frameworks of a profile, the strongest findings first.

    Each list has at most two items, and each item quotes the words of the thought that it rests on. ``meta``
    has the profile, the part of the text that was read, and for each framework with items its weight, its
    number of items in each list, and its own figures as ``framework.figure``.
    """

    insights: list[str]
    questions: list[str]
    next_steps: list[str]
    meta: dict[str, str]
