"""The frameworks of each mode and submode with their weights, and the blending of their findings."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from legacymind.model.base import Mode, Submode
from legacymind.model.frameworks import Framework, FrameworkAnalysis
from legacymind.text.frameworks.findings import FindingKind, Findings, strongest
from legacymind.text.frameworks.first_principles import first_principles
from legacymind.text.frameworks.ooda import ooda
from legacymind.text.frameworks.questioning import dialectical, lateral, socratic
from legacymind.text.frameworks.reading import Reading, read
from legacymind.text.frameworks.root_cause import root_cause
from legacymind.text.frameworks.systems import systems

FRAMEWORKS: Final[Mapping[Framework, Callable[[Reading], Findings]]] = {
    "ooda": ooda,
    "socratic": socratic,
    "first_principles": first_principles,
    "lateral": lateral,
    "root_cause": root_cause,
    "systems": systems,
    "dialectical": dialectical,
}
"""All frameworks by name."""

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
    # Every mode has every framework: a strong finding counts more than the weight of its framework.
    "question": _shares(  # opens the question up
        "socratic 35, first_principles 20, dialectical 15, root_cause 15, lateral 5, ooda 5, systems 5"
    ),
    "conclude": _shares(  # weighs, sees the whole, leads to action
        "dialectical 30, systems 20, ooda 20, first_principles 15, root_cause 5, socratic 5, lateral 5"
    ),
    "debug": _shares(
        "root_cause 45, ooda 25, systems 10, first_principles 5, socratic 5, dialectical 5, lateral 5"
    ),
    "build": _shares(
        "first_principles 30, ooda 25, systems 20, root_cause 10, dialectical 5, socratic 5, lateral 5"
    ),
    "plan": _shares(
        "systems 30, dialectical 25, first_principles 20, ooda 10, root_cause 5, socratic 5, lateral 5"
    ),
    "stuck": _shares(
        "root_cause 30, lateral 30, socratic 15, ooda 10, first_principles 5, systems 5, dialectical 5"
    ),
}
"""The profiles of the modes, for thoughts without a submode."""


def analyze(content: str, mode: Mode, submode: Submode | None = None) -> FrameworkAnalysis | None:
    """The strongest findings of the submode's frameworks, or else the mode's.

    None for ``adderall``, and if no framework finds anything.

    Deterministic. Gives up to 2 insights, 2 questions and 2 next steps of up to 280 characters each. Every
    one quotes the words of the text that it rests on; a list is empty if the text gives no ground. Of a text
    over 16,384 characters, the first and last 8,192 are read.
    """
    weights = SUBMODES[submode] if submode else MODES[mode]
    if weights is None:
        return None
    reading = read(content)
    found = blend(reading, weights)
    if not (found.insights or found.questions or found.next_steps):
        return None
    return replace(found, meta={"profile": submode or mode, "read": reading.read} | found.meta)


def blend(reading: Reading, weights: FrameworkWeights) -> FrameworkAnalysis:
    """The strongest findings of the frameworks in a text, with the figures of each framework that has any."""
    found: dict[Framework, Findings] = {name: FRAMEWORKS[name](reading) for name in weights}
    chosen = strongest(found, weights)
    meta: dict[str, str] = {}
    for name, percent in weights.items():
        kinds = Counter(one.kind for of, one in chosen if of == name)
        if kinds:
            meta[name] = (
                f"{percent}%: insights {kinds['insight']}, questions {kinds['question']}, "
                f"next steps {kinds['step']}"
            )
            meta |= {f"{name}.{figure}": value for figure, value in found[name].meta.items()}
    texts: dict[FindingKind, list[str]] = {
        kind: [one.text for _, one in chosen if one.kind == kind] for kind in ("insight", "question", "step")
    }
    return FrameworkAnalysis(
        insights=texts["insight"], questions=texts["question"], next_steps=texts["step"], meta=meta
    )
