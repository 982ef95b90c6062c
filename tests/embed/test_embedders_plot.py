"""The plot of the embedders' bench: every cell that was measured is a point in it."""

import itertools
import math
from typing import Any
from xml.etree import ElementTree as XML

from tests.bench.embedders_svg import plot

SVG = "{http://www.w3.org/2000/svg}"
LOCAL = [(provider, threads) for provider in ("minilm", "fastembed") for threads in (1, 2)]


def report(provider: str, threads: int, speed: float) -> dict[str, Any]:
    return {
        "provider": provider,
        "threads": threads,
        "cells": [
            {"tokens": tokens, "batch": batch, "wall": speed / tokens, "cpu": speed / tokens / threads}
            for tokens in (20, 500)
            for batch in (1, 32, 128)
            if tokens * batch <= 16_000
        ],
        "runs": [{"tokens": 512, "wall": speed, "cpu": speed / 2}] if provider == "minilm" else [],
    }


def test_every_cell_is_a_point_in_its_panel_and_higher_is_faster() -> None:
    reports = [report(provider, threads, 4000.0 + threads) for provider, threads in LOCAL]
    told = {"cores": 2, "load": [1.0, 0.5, 0.25], "reports": [*reports, report("openai", 1, 40_000.0)]}
    tree = XML.fromstring(plot(told))
    panels = [group for group in tree.iter(f"{SVG}g") if group.attrib["class"] == "panel"]
    points = [len(list(panel.iter(f"{SVG}circle"))) for panel in panels]
    assert points == [4 * 3, 4 * 3, 4 * 2, 4 * 2, 2, 3]
    for panel in panels:
        told_at = [
            (float(circle.attrib["cy"]), float(str(circle[0].text).rpartition(": ")[2]))
            for circle in panel.iter(f"{SVG}circle")
        ]
        assert all(math.isfinite(y) for y, _ in told_at)
        heights = [y for y, _ in sorted(told_at, key=lambda place: place[1])]
        assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(heights))
    assert all(place.text for place in tree.iter(f"{SVG}text"))
