"""Which frameworks look at a thought, with which weight, and how their findings become one answer."""

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
"""Every framework by its name."""

_QUOTATION: Final = re.compile("“[^”]*”")

Weights = Mapping[Framework, int]
"""Frameworks with their shares in percent, the weightiest first."""

SUBMODES: Final[Mapping[Submode, Weights | None]] = {
    "sarcastic": {"ooda": 60, "socratic": 30, "lateral": 10},
    "philosophical": {"first_principles": 40, "socratic": 40, "lateral": 20},
    "empathetic": {"root_cause": 50, "socratic": 30, "first_principles": 20},
    "problem_solving": {"ooda": 40, "root_cause": 30, "first_principles": 30},
    "adderall": None,
}
"""The profiles of the submodes; ``adderall`` has none: it is for thinking on unasked."""

MODES: Final[Mapping[Mode, Weights]] = {
    "question": {"socratic": 50, "first_principles": 30, "lateral": 20},  # opens it up
    "conclude": {"dialectical": 40, "systems": 30, "ooda": 30},  # weighs it, sees round it, goes on to act
    "debug": {"root_cause": 50, "ooda": 30, "systems": 20},
    "build": {"ooda": 40, "first_principles": 40, "systems": 20},
    "plan": {"systems": 40, "dialectical": 30, "first_principles": 30},
    "stuck": {"lateral": 40, "root_cause": 40, "socratic": 20},
}
"""The profiles of the modes, for thoughts without a submode."""


def analyze(content: str, mode: Mode, submode: Submode | None = None) -> FrameworkAnalysis | None:
    """What the frameworks of the submode, else of the mode, find in a text; None where there are none.

    Deterministic. At most 6 insights, questions and next steps, each at most 280 characters; empty lists
    where the text gives nothing to say. Of a text over 16,384 characters the first and last 8,192 are read.
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
        insights=[said for list_ in insights.values() for said in list_],
        questions=[said for list_ in questions.values() for said in list_],
        next_steps=[said for list_ in steps.values() for said in list_],
        meta=meta,
    )


def _shares(weights: Weights) -> dict[Framework, int]:
    """``MOST`` places by weight, by largest remainder, at least one each."""
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
    """Of each framework its share, without doubles, rather about what nobody spoke of yet.

    Places that one framework leaves go to the weightiest that has more.
    """
    taken: dict[Framework, list[str]] = {name: [] for name in shares}
    seen: set[str] = set()
    spoken_of: set[str] = set()
    for places, fresh in ((shares, True), (shares, False), (dict.fromkeys(shares, MOST), False)):
        for name, most in places.items():
            for said in given[name]:
                about = set(_QUOTATION.findall(said)[:1])
                if len(taken[name]) == most or len(seen) == MOST or (fresh and about <= spoken_of and about):
                    continue
                if said.lower() not in seen:
                    taken[name].append(said)
                    seen.add(said.lower())
                    spoken_of |= about
    return taken
