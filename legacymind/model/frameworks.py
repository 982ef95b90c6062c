"""Results of cognitive frameworks."""

from dataclasses import dataclass
from typing import Annotated, Literal

from legacymind.model.about import about

Framework = Literal["ooda", "socratic", "first_principles", "lateral", "root_cause", "systems", "dialectical"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkAnalysis:
    """The analysis of a thought by the frameworks of a profile, the heaviest framework first.

    Each item quotes the words of the thought that it rests on. ``meta`` has for each framework with items its
    weight and its number of items in each list.
    """

    insights: Annotated[list[str], about("At most two findings, each with the words that it rests on")]
    questions: Annotated[list[str], about("At most two questions that the text leaves open")]
    next_steps: Annotated[list[str], about("At most two things to do next")]
    meta: Annotated[
        dict[str, str],
        about("Profile, part of the text that was read, and figures by framework; empty in a compact result"),
    ]
