"""The frameworks of each mode and submode with their weights, and the blending of their findings."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from legacymind.model.base import Mode, Submode
from legacymind.model.frameworks import Framework, FrameworkAnalysis, FrameworkOutput
from legacymind.text.frameworks.dialectical import dialectical
from legacymind.text.frameworks.findings import MOST
from legacymind.text.frameworks.first_principles import first_principles
from legacymind.text.frameworks.lateral import lateral
from legacymind.text.frameworks.ooda import ooda
from legacymind.text.frameworks.reading import Reading, read
from legacymind.text.frameworks.root_cause import root_cause
from legacymind.text.frameworks.socratic import socratic
from legacymind.text.frameworks.systems import systems

FRAMEWORKS: Final[Mapping[Framework, Callable[[Reading], FrameworkOutput]]] = MappingProxyType(
    {
        "ooda": ooda,
        "socratic": socratic,
        "first_principles": first_principles,
        "lateral": lateral,
        "root_cause": root_cause,
        "systems": systems,
        "dialectical": dialectical,
    }
)
"""All frameworks by name."""

_QUOTATION: Final = re.compile("“[^”]*”")

Weights = Mapping[Framework, int]
"""Frameworks with their shares in percent, largest first."""

SUBMODES: Final[Mapping[Submode, Weights | None]] = {
    "sarcastic": {"ooda": 60, "socratic": 30, "lateral": 10},
    "philosophical": {"first_principles": 40, "socratic": 40, "lateral": 20},
    "empathetic": {"root_cause": 50, "socratic": 30, "first_principles": 20},
    "problem_solving": {"ooda": 40, "root_cause": 30, "first_principles": 30},
    "adderall": None,
}
"""The profiles of the submodes. ``adderall`` has none: it is for thinking without questions."""

MODES: Final[Mapping[Mode, Weights]] = {
    "question": {"socratic": 50, "first_principles": 30, "lateral": 20},  # opens the question up
    "conclude": {"dialectical": 40, "systems": 30, "ooda": 30},  # weighs, sees the whole, leads to action
    "debug": {"root_cause": 50, "ooda": 30, "systems": 20},
    "build": {"ooda": 40, "first_principles": 40, "systems": 20},
    "plan": {"systems": 40, "dialectical": 30, "first_principles": 30},
    "stuck": {"lateral": 40, "root_cause": 40, "socratic": 20},
}
"""The profiles of the modes, for thoughts without a submode."""


def analyze(content: str, mode: Mode, submode: Submode | None = None) -> FrameworkAnalysis | None:
    """The findings of the submode's frameworks, or else the mode's; None for a submode without frameworks.

    Deterministic. Gives up to 6 insights, 6 questions and 6 next steps of up to 280 characters each; a list
    is empty if no framework has a finding. Of a text over 16,384 characters, the first and last 8,192 are
    read.
    """
    weights = SUBMODES[submode] if submode else MODES[mode]
    if weights is None:
        return None
    reading = read(content)
    found: dict[Framework, FrameworkOutput] = {name: FRAMEWORKS[name](reading) for name in weights}
    shares = _shares(weights)
    insights = _blend(shares, {name: output.insights for name, output in found.items()})
    questions = _blend(shares, {name: output.questions for name, output in found.items()})
    steps = _blend(shares, {name: output.next_steps for name, output in found.items()})
    meta = {"profile": submode or mode, "read": reading.read}
    for name, percent in weights.items():
        given = (len(list_[name]) for list_ in (insights, questions, steps))
        meta[name] = "{}%: insights {}, questions {}, next steps {}".format(percent, *given)
    for name, output in found.items():
        meta |= {f"{name}.{figure}": value for figure, value in output.meta.items()}
    return FrameworkAnalysis(
        insights=[finding for list_ in insights.values() for finding in list_],
        questions=[finding for list_ in questions.values() for finding in list_],
        next_steps=[finding for list_ in steps.values() for finding in list_],
        meta=meta,
    )


def _shares(weights: Weights) -> dict[Framework, int]:
    """``MOST`` places divided by weight with the largest-remainder method, at least one each."""
    exact: dict[Framework, float] = {
        name: MOST * percent / sum(weights.values()) for name, percent in weights.items()
    }
    shares: dict[Framework, int] = {name: int(share) for name, share in exact.items()}
    by_need = sorted(exact, key=lambda name: (shares[name] > 0, shares[name] - exact[name]))
    for name in by_need[: MOST - sum(shares.values())]:
        shares[name] += 1
    return shares


def _blend(
    shares: Mapping[Framework, int], given: Mapping[Framework, list[str]]
) -> dict[Framework, list[str]]:
    """Each framework's share of findings, without duplicates; findings about new quotations come first.

    Places that a framework leaves empty go to the framework with the largest weight that has more findings.
    """
    taken: dict[Framework, list[str]] = {name: [] for name in shares}
    seen: set[str] = set()
    covered: set[str] = set()
    for places, fresh in ((shares, True), (shares, False), (dict.fromkeys(shares, MOST), False)):
        for name, most in places.items():
            for finding in given[name]:
                about = set(_QUOTATION.findall(finding)[:1])
                if len(taken[name]) == most or len(seen) == MOST or (fresh and about <= covered and about):
                    continue
                if finding.lower() not in seen:
                    taken[name].append(finding)
                    seen.add(finding.lower())
                    covered |= about
    return taken
