"""The results of ``python -m bench.embedders`` as bars in text: texts per second by length and call."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.text import Text

WIDTH: Final = 90

_LABEL: Final = 20
_NUMBER: Final = 6
_BAR: Final = 7
_STYLES: Final = {"minilm": "cyan", "fastembed": "green", "openai": "red"}
_MEASURES: Final = (("wall", "by the clock"), ("cpu", "for each second of processor time"))


@dataclass(frozen=True, slots=True)
class _Panel:
    """One table: a column for each value of ``varied``, a row for each embedder that has such cells."""

    caption: str
    varied: str
    measure: str
    rows: Sequence[tuple[dict[str, Any], Sequence[dict[str, Any]]]]


def plot(measured: dict[str, Any]) -> Iterator[Text]:
    """Yield the lines for the JSON of the benchmark; bars are to scale within one panel."""
    load = ", ".join(f"{value:.1f}" for value in measured["load"])
    yield Text("Texts a second", style="bold").append(
        f"   {measured['cores']} cores; load at the end {load}", style="dim"
    )
    for panel in _panels(measured["reports"]):
        yield Text()
        yield from _lines(panel)


def _panels(reports: Sequence[dict[str, Any]]) -> Iterator[_Panel]:
    local = [report for report in reports if report["provider"] != "openai"]
    lengths = sorted({cell["tokens"] for report in local for cell in report["cells"]})
    for tokens in lengths:
        rows = [(report, [cell for cell in report["cells"] if cell["tokens"] == tokens]) for report in local]
        for measure, how in _MEASURES:
            yield _Panel(f"{tokens} tokens, {how}; texts in a call:", "batch", measure, rows)
    runs = [(report, report["runs"]) for report in local if report["runs"]]
    if runs:
        caption = "34 tokens in calls of 128, for each second of processor time; tokens in a run:"
        yield _Panel(caption, "tokens", "cpu", runs)
    for report in reports:
        if report["provider"] == "openai":
            # The server is a stand-in in the same process, so the clock means nothing.
            cells = [cell for cell in report["cells"] if cell["tokens"] == lengths[0]]
            caption = f"{lengths[0]} tokens, for each second of our processor time; texts in a call:"
            yield _Panel(caption, "batch", "cpu", [(report, cells)])


def _lines(panel: _Panel) -> Iterator[Text]:
    yield Text(panel.caption, style="bold")
    columns = sorted({cell[panel.varied] for _, cells in panel.rows for cell in cells})
    most = max(cell[panel.measure] for _, cells in panel.rows for cell in cells)
    heads = "".join(f"{column:>{_NUMBER},}{'':{_BAR + 1}}" for column in columns)
    yield Text(f"{'':{_LABEL}}{heads}".rstrip(), style="dim")
    for report, cells in panel.rows:
        threads = report["threads"]
        line = Text(f"{report['provider']}, {threads} thread{'s' * (threads > 1)}".ljust(_LABEL))
        rates = {cell[panel.varied]: cell[panel.measure] for cell in cells}
        for column in columns:
            rate = rates.get(column)
            if rate is None:
                line.append(" " * (_NUMBER + 1 + _BAR))
            else:
                line.append(f"{rate:>{_NUMBER},.0f} ")
                bar = "█" * max(1, round(_BAR * rate / most))
                line.append(f"{bar:<{_BAR}}", style=_STYLES[report["provider"]])
        line.rstrip()
        yield line
