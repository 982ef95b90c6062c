"""A calibration as one SVG file that needs nothing else: two histograms, the thresholds as lines in them."""

import math
from collections.abc import Iterator
from typing import Final

from legacymind.doors.cli.svg import FAINT, GRID, INK, line, opening, text
from legacymind.services.maintain.calibration import Calibration, Distribution, PairKind

_WIDTH, _HEIGHT = 860, 700
_LEFT, _RIGHT = 78, 832
_PANELS: Final[tuple[tuple[PairKind, str, int, int, str], ...]] = (
    ("thoughts", "thought with thought", 118, 318, "#1f6f8b"),
    ("knowledge", "thought with knowledge", 408, 608, "#3d8b37"),
)
"""PairKind, caption, top and bottom, colour."""

_MERGED: Final = 2
"""Bins of one step of a curve: 0.02 of cosine."""

_LEAST: Final = 1e-6
"""Where the logarithmic axis of shares begins; it ends at all pairs."""

_NAME: Final = 27
"""Pixels that a threshold's name needs."""

_NOW, _NEW = FAINT, "#c0392b"


def plot(found: Calibration) -> str:
    """The document, UTF-8."""
    return "\n".join(_parts(found)) + "\n"


def _parts(found: Calibration) -> Iterator[str]:
    low = min(_lowest(found.among_thoughts), _lowest(found.with_knowledge))
    title = f"Cosines of {found.basis}"
    yield opening(_WIDTH, _HEIGHT, title)
    yield text(_LEFT, 28, title, size=16)
    yield text(_LEFT, 48, found.fingerprint, fill=_NOW, size=11)
    yield line(_LEFT, 66, _LEFT + 28, 66, _NOW, dash="5 4") + text(_LEFT + 36, 70, "threshold in use")
    yield line(_LEFT + 168, 66, _LEFT + 196, 66, _NEW) + text(_LEFT + 204, 70, "proposed threshold")
    for kind, caption, top, bottom, colour in _PANELS:
        shown = found.among_thoughts if kind == "thoughts" else found.with_knowledge
        yield f'<g id="{kind}">'
        yield from _axes(low, top, bottom, f"{caption}: {shown.pairs:,} pairs")
        yield _curve(shown, low, top, bottom, colour)
        yield from _thresholds(found, kind, low, top, bottom)
        yield "</g>"
    yield "</svg>"


def _axes(low: float, top: int, bottom: int, caption: str) -> Iterator[str]:
    middle = (top + bottom) / 2
    yield text(_RIGHT, top - 34, caption, anchor="end", weight="bold")
    yield (
        f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">'
        "share of pairs in each 0.02</text>"
    )
    for decade in range(round(math.log10(_LEAST)), 1):
        y = _y(10.0**decade, top, bottom)
        yield line(_LEFT, y, _RIGHT, y, GRID)
        yield text(_LEFT - 8, y + 4, f"{100 * 10.0**decade:g} %", anchor="end", size=11)
    for tenth in range(math.ceil(10 * low), 11):
        x = _x(tenth / 10, low)
        yield line(x, bottom, x, bottom + 5, INK)
        yield text(x, bottom + 20, f"{tenth / 10:.1f}", anchor="middle", size=11)
    yield line(_LEFT, bottom, _RIGHT, bottom, INK)
    yield text((_LEFT + _RIGHT) / 2, bottom + 40, "cosine", anchor="middle")


def _curve(shown: Distribution, low: float, top: int, bottom: int, colour: str) -> str:
    """The histogram as one filled outline."""
    points = [f"M{_x(low, low):.1f} {bottom}"]
    for start in range(0, len(shown.counts), _MERGED):
        left = start / 100 - 1
        if left < low:
            continue
        y = _y(sum(shown.counts[start : start + _MERGED]) / shown.pairs, top, bottom)
        points.append(f"L{_x(left, low):.1f} {y:.1f}L{_x(left + _MERGED / 100, low):.1f} {y:.1f}")
    points.append(f"L{_RIGHT} {bottom}Z")
    return (
        f'<path class="curve" d="{"".join(points)}" fill="{colour}" fill-opacity=".22" '
        f'stroke="{colour}" stroke-width="1.5"/>'
    )


def _thresholds(found: Calibration, kind: PairKind, low: float, top: int, bottom: int) -> Iterator[str]:
    """Each as a line, named above: on one level those in use, on the next the proposed."""
    own = [one for one in found.thresholds if one.kind == kind]
    for name, colour, dash, level in (("present", _NOW, "5 4", top - 20), ("proposed", _NEW, "", top - 6)):
        places = sorted((float(getattr(one, name)), one.name) for one in own)
        across = [_x(min(max(cosine, low), 1.0), low) for cosine, _ in places]
        for x, at, (cosine, label) in zip(across, _spread(across), places, strict=True):
            yield line(x, top - 2, x, bottom, colour, dash=dash, title=f"{label} {name} {cosine:.4f}")
            yield text(at, level, label, anchor="middle", fill=colour, size=11)


def _spread(across: list[float]) -> list[float]:
    """Where names may stand, as near to their lines as there is room for all."""
    spread: list[float] = []
    for x in across:
        spread.append(max(x, spread[-1] + _NAME) if spread else x)
    for place in reversed(range(len(spread))):
        spread[place] = min(spread[place], _RIGHT - _NAME * (len(spread) - 1 - place))
    return spread


def _lowest(shown: Distribution) -> float:
    first = next(place for place, count in enumerate(shown.counts) if count)
    return math.floor(first / 10) / 10 - 1


def _x(cosine: float, low: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * (cosine - low) / (1 - low)


def _y(share: float, top: int, bottom: int) -> float:
    high = 0.0 if share <= _LEAST else 1 - math.log10(share) / math.log10(_LEAST)
    return bottom - (bottom - top) * high
