"""The plot of the embedders' benchmark: every measured cell is a figure and a bar in its panel."""

import re
from itertools import pairwise
from typing import Any

from tests.bench.embedders_plot import WIDTH, plot
from tests.bench.svg import export_svg
from tests.doors.cli.svg_rows import picture_rows

LOCAL = [(provider, threads) for provider in ("minilm", "fastembed") for threads in (1, 2)]


def report(provider: str, threads: int, speed: float) -> dict[str, Any]:
    return {
        "provider": provider,
        "threads": threads,
        "cells": [
            {
                "tokens": tokens,
                "batch": batch,
                "wall": speed * batch / tokens,
                "cpu": speed / tokens / threads,
            }
            for tokens in (20, 500)
            for batch in (1, 32, 128)
            if tokens * batch <= 16_000
        ],
        "runs": [{"tokens": 512, "wall": speed, "cpu": speed / 2}] if provider == "minilm" else [],
    }


def test_every_cell_is_a_figure_in_its_panel_and_a_longer_bar_is_faster() -> None:
    reports = [report(provider, threads, 4000.0 + threads) for provider, threads in LOCAL]
    measured = {"cores": 2, "load": [1.0, 0.5, 0.25], "reports": [*reports, report("openai", 1, 40_000.0)]}
    lines = list(plot(measured))
    assert max(line.cell_len for line in lines) <= WIDTH
    head, *panels = "\n".join(str(line) for line in lines).split("\n\n")
    assert "2 cores; load at the end 1.0, 0.5, 0.2" in head
    figures: list[int] = []
    for panel in panels:
        rows = [line[20:] for line in panel.splitlines()[2:]]
        cells = [
            (float(rate.replace(",", "")), len(bar))
            for row in rows
            for rate, bar in re.findall(r"([\d,]+) (█+)", row)
        ]
        figures.append(len(cells))
        assert all(longer >= bar for (_, bar), (_, longer) in pairwise(sorted(cells)))
        assert max(bar for _, bar in cells) == 7
    assert figures == [4 * 3, 4 * 3, 4 * 2, 4 * 2, 2, 3]
    assert "minilm, 2 threads      200 █       6,403 ██     25,613 ███████" in panels[0]
    picture = picture_rows(export_svg(lines, title="Speed", width=WIDTH))
    assert list(picture.values()) == [str(line) for line in lines if str(line)]
