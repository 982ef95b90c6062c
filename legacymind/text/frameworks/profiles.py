"""The frameworks of each conversational mode and submode with their weights, and their blending."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, cast

from legacymind.model.base import Mode, Submode
from legacymind.model.frameworks import Framework, FrameworkAnalysis
from legacymind.text.frameworks.analyses import Finding, findings
from legacymind.text.frameworks.reading import quoted, read

_MOST: Final = 2
"""Most insights, most questions and most next steps of an analysis."""

FrameworkWeights = Mapping[Framework, int]
"""Frameworks with their shares in percent, largest first."""


def _shares(text: str) -> FrameworkWeights:
    return {cast("Framework", name): int(share) for name, share in map(str.split, text.split(","))}


SUBMODES: Final[Mapping[Submode, FrameworkWeights | None]] = {
    "sarcastic": _shares("ooda 60, socratic 30, lateral 10"),
    "philosophical": _shares("first_principles 40, socratic 40, lateral 20"),
    "empathetic": _shares("root_cause 50, socratic 30, first_principles 20"),
    "problem_solving": _shares("ooda 40, root_cause 30, first_principles 30"),
    "adderall": None,
}
"""The profiles of the submodes. ``adderall`` has none: it is for thinking without questions."""

MODES: Final[Mapping[Mode, FrameworkWeights]] = {
    "question": _shares(  # opens the question up
        "socratic 35, first_principles 20, dialectical 15, root_cause 15, lateral 5, ooda 5, systems 5"
    ),
    "conclude": _shares(  # weighs, sees the whole, leads to action
        "dialectical 30, systems 20, ooda 20, first_principles 15, root_cause 5, socratic 5, lateral 5"
    ),
}
"""The profiles of the conversational modes, for thoughts without a submode. Technical modes have none."""


def analyze(content: str, mode: Mode, submode: Submode | None = None) -> FrameworkAnalysis | None:
    """What the frameworks of the submode, or else of the mode, find in a text; None if they find nothing.

    None too for technical modes and for ``adderall``. Deterministic. Gives up to 2 insights, 2 questions and
    2 next steps; the frameworks with the largest weights speak first, and no two findings of a kind quote the
    same words. Each quotes the words of the text that it rests on.
    """
    weights = SUBMODES[submode] if submode else MODES.get(mode)
    if weights is None or mode not in MODES:
        return None
    reading = read(content)
    kept: list[tuple[Framework, Finding]] = []
    for name in weights:
        for finding in findings(name, reading):
            alike = [other for _, other in kept if other.kind == finding.kind]
            if len(alike) < _MOST and not any(quoted(finding.text) & quoted(other.text) for other in alike):
                kept.append((name, finding))
    if not kept:
        return None
    meta = {"profile": submode or mode, "read": reading.part}
    for name, weight in weights.items():
        if kinds := Counter(finding.kind for of, finding in kept if of == name):
            meta[name] = f"{weight}%: " + ", ".join(
                f"{kind} {count}" for kind, count in sorted(kinds.items())
            )
    insights, questions, steps = (
        [one.text for _, one in kept if one.kind == kind] for kind in ("insight", "question", "step")
    )
    return FrameworkAnalysis(insights=insights, questions=questions, next_steps=steps, meta=meta)
