"""What `python -m tests.bench.embedders` measured, as one SVG file: texts a second over texts in a call."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from legacymind.doors.cli.svg import FAINT, GRID, INK, line, opening, text

_WIDTH, _WIDE, _HIGH = 860, 330, 150
_LEFT: Final = (76, 500)
_TOP, _PITCH = 126, 232
_STEPS: Final = 4

_COLOURS: Final = {"minilm": "#1f6f8b", "fastembed": "#3d8b37", "openai": "#c0392b"}
_DASHES: Final = {1: "", 2: "6 4"}
_MEASURES: Final = (("wall", "by the clock"), ("cpu", "of the processor's time"))


@dataclass(frozen=True, slots=True)
class Curve:
    """One embedder with so many threads; points are what was varied, and what came of it."""

    provider: str
    threads: int
    points: Sequence[tuple[int, float]]

    @property
    def label(self) -> str:
        """As the legend says it."""
        return f"{self.provider}, {self.threads} thread{'s' * (self.threads > 1)}"


@dataclass(frozen=True, slots=True)
class _Panel:
    caption: str
    across: str
    curves: Sequence[Curve]


def plot(told: dict[str, Any]) -> str:
    """The document, UTF-8; what it is told is what the bench writes as JSON."""
    return "\n".join(_parts(told)) + "\n"


def _parts(told: dict[str, Any]) -> Iterator[str]:
    panels = list(_panels(told["reports"]))
    local = [report for report in told["reports"] if report["provider"] != "openai"]
    title = "How fast the embedders are"
    yield opening(_WIDTH, _TOP + _PITCH * math.ceil(len(panels) / 2) - 30, title)
    yield text(_LEFT[0], 28, f"{title}: texts a second", size=16)
    load = ", ".join(f"{value:.1f}" for value in told["load"])
    yield text(_LEFT[0], 48, f"{told['cores']} cores; load at the end {load}", fill=FAINT, size=11)
    for place, report in enumerate(local):
        x = _LEFT[0] + 195 * place
        curve = Curve(report["provider"], report["threads"], ())
        yield line(x, 70, x + 28, 70, _COLOURS[curve.provider], dash=_DASHES[curve.threads])
        yield text(x + 36, 74, curve.label)
    for place, panel in enumerate(panels):
        yield from _drawn(panel, _LEFT[place % 2], _TOP + _PITCH * (place // 2))
    yield "</svg>"


def _panels(reports: Sequence[dict[str, Any]]) -> Iterator[_Panel]:
    local = [report for report in reports if report["provider"] != "openai"]
    lengths = sorted({cell["tokens"] for report in reports for cell in report["cells"]})
    for tokens in lengths:
        for measure, how in _MEASURES:
            curves = [_curve(report, "cells", "batch", measure, tokens) for report in local]
            yield _Panel(f"{tokens} tokens, {how}", "texts in a call", curves)
    runs = [_curve(report, "runs", "tokens", "cpu") for report in local if report["runs"]]
    yield _Panel(
        "34 tokens in calls of 128, of the processor's time", "tokens of a run, for each thread", runs
    )
    hosted = [
        _curve(report, "cells", "batch", "cpu", lengths[0])
        for report in reports
        if report["provider"] == "openai"
    ]
    yield _Panel(f"openai, {lengths[0]} tokens, of our processor's time", "texts in a call", hosted)


def _curve(report: dict[str, Any], cells: str, varied: str, measure: str, tokens: int | None = None) -> Curve:
    chosen = [cell for cell in report[cells] if tokens is None or cell["tokens"] == tokens]
    return Curve(report["provider"], report["threads"], [(cell[varied], cell[measure]) for cell in chosen])


def _drawn(panel: _Panel, left: int, top: int) -> Iterator[str]:
    bottom, right = top + _HIGH, left + _WIDE
    values = sorted({x for curve in panel.curves for x, _ in curve.points})
    most = _round(max((y for curve in panel.curves for _, y in curve.points), default=1.0))
    across = {value: left + _WIDE * (n + 0.5) / len(values) for n, value in enumerate(values)}
    yield '<g class="panel">'
    yield text(left, top - 12, panel.caption, weight="bold")
    for step in range(_STEPS + 1):
        y = bottom - _HIGH * step / _STEPS
        yield line(left, y, right, y, GRID if step else INK)
        yield text(left - 8, y + 4, f"{most * step / _STEPS:,g}", anchor="end", size=11)
    for value, x in across.items():
        yield text(x, bottom + 17, f"{value:,}", anchor="middle", size=11)
    yield text((left + right) / 2, bottom + 36, panel.across, anchor="middle", size=11)
    for curve in panel.curves:
        yield from _line(curve, [(across[x], bottom - _HIGH * y / most) for x, y in curve.points])
    yield "</g>"


def _line(curve: Curve, places: Sequence[tuple[float, float]]) -> Iterator[str]:
    colour, dashes = _COLOURS[curve.provider], _DASHES[curve.threads]
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    yield f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
    for (x, y), (_, rate) in zip(places, curve.points, strict=True):
        told = escape(f"{curve.label}: {rate:.0f}")
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{told}</title></circle>'


def _round(most: float) -> float:
    """The end of an axis: the next of 1, 2, 4, 6, 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(most))
    return next(n * power for n in (1, 2, 4, 6, 8, 10) if n * power >= most)
