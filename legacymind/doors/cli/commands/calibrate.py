"""``legacymind calibrate``: histograms of the cosines of a memory, and the thresholds that fit them.

The text has 80 columns.
"""

import math
from collections.abc import Iterator
from datetime import datetime
from typing import Final

import click
from pydantic_core import to_jsonable_python
from rich.text import Text

from legacymind.doors.cli import output
from legacymind.doors.cli.command import json_option, namespace_option
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import in_mind
from legacymind.mind import Mind
from legacymind.model.progress import Progress
from legacymind.services.maintain.calibration import (
    LEAST_THOUGHTS,
    MAX_SAMPLE,
    SAMPLE,
    Calibration,
    Distribution,
    PairKind,
    Proposal,
)

_MERGED: Final = 5
"""Bins in a row, which covers 0.05 of cosine."""

_BAR: Final = 10
_CELL: Final = 34
_DECADES: Final = 5
"""Decades in a bar: a full bar is all pairs, an empty one a hundred-thousandth of them."""

_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_NOW, _NEW = "○", "●"
_MEANINGS: Final = {
    "t1": "knowledge at scale 1",
    "t2": "knowledge at scale 2",
    "t3": "knowledge from scale 3",
    "s1": "thoughts at scale 1",
    "s2": "thoughts at scale 2",
    "s3": "thoughts at scale 3",
    "s4": "thoughts at scale 4",
    "s5": "thoughts at scale 5",
    "floor": "unrelated texts",
}
_SOURCES: Final = {"settings": "by hand", "calibration": "calibrated", "model": "the model's"}


@click.command(epilog=examples("calibrate", "calibrate --all --store"))
@namespace_option
@click.option("--all", "everywhere", is_flag=True, help="Measure all namespaces together.")
@click.option(
    "--sample",
    type=click.IntRange(LEAST_THOUGHTS, MAX_SAMPLE),
    default=SAMPLE,
    show_default=True,
    help="Most thoughts, and most pieces of knowledge, to sample.",
)
@click.option("--store", is_flag=True, help="Store the proposed thresholds in the database.")
@click.option(
    "--reset", is_flag=True, help="Remove stored thresholds and use the model's own. Measures nothing."
)
@json_option
def calibrate(
    namespace: str | None,
    everywhere: bool,
    sample: int,
    store: bool,
    reset: bool,
    as_json: bool,
) -> None:
    """Fit the thresholds of recall to your own memory (docs/calibration.md).

    Plots the cosines between its texts and proposes thresholds that let the same share of them pass as the
    model's own thresholds do on a reference corpus. --store stores them for the whole database.
    """
    if reset and (store or everywhere or namespace):
        raise click.UsageError("--reset cannot be combined with other options.")
    if everywhere and namespace:
        raise click.UsageError("Use either --namespace or --all.")
    if reset:
        dropped = in_mind(lambda mind, _: mind.drop_calibration())
        if as_json:
            output.print_json({"dropped": dropped})
        else:
            output.message(
                "Stored thresholds removed; the model's own apply."
                if dropped
                else "No thresholds were stored."
            )
        return

    async def work(mind: Mind, progress: Progress) -> tuple[Calibration, datetime | None]:
        measured = await mind.calibrate(namespace, everywhere=everywhere, sample=sample, progress=progress)
        return measured, await mind.keep_calibration(measured) if store else None

    found, kept_at = in_mind(work)
    if as_json:
        output.print_json({**to_jsonable_python(found), "kept_at": kept_at})
        return
    for line in plot(found):
        output.console.print(line, soft_wrap=True)
    for line in notes(found):
        output.message(line)
    if kept_at is None:
        output.message("Nothing was stored; use --store to store the proposed thresholds.")
    else:
        output.message("Stored. Running processes use them after their next start; --reset removes them.")


def plot(calibration: Calibration) -> Iterator[Text]:
    """Yield two histograms side by side, with logarithmic bars, then a table of the thresholds."""
    yield Text(f"Cosines of {calibration.basis}")
    yield Text(
        f"share of pairs in each 0.05 of cosine, bars logarithmic; {_NOW} in use, {_NEW} proposed",
        style="dim",
    )
    heads = [
        f"{name} ({shown.pairs:,} pairs)"
        for name, shown in (
            ("thought, thought", calibration.among_thoughts),
            ("thought, knowledge", calibration.with_knowledge),
        )
    ]
    yield Text("cosine │ ", style="bold").append(f"{heads[0]:<{_CELL}}│ {heads[1]}".rstrip())
    rows = 2 * 100 // _MERGED
    low = min(_first(calibration.among_thoughts), _first(calibration.with_knowledge)) // _MERGED
    for row in reversed(range(low, rows)):
        line = Text(f"{row * _MERGED / 100 - 1:>6.2f} │ ")
        line.append_text(_cell(calibration, "thoughts", row)).append("│ ")
        line.append_text(_cell(calibration, "knowledge", row)).rstrip()
        yield line
    yield Text()
    yield Text(f"{'':31}in use{'':13}lets pass  proposed  lets pass", style="bold")
    for one in calibration.thresholds:
        about = "~" if one.estimated else " "
        line = Text(f"{one.name:<6}{_MEANINGS[one.name]:<24}")
        line.append(f"{one.present:>6.2f} ").append(f"{_SOURCES[one.source]:<12}", style="dim")
        line.append(f"{percent(one.present_share):>9} ")
        line.append(f"{about:>5}{one.proposed:.2f}", style="bold").append(f"{percent(one.share):>11}")
        yield line


def notes(calibration: Calibration) -> Iterator[str]:
    """Yield remarks about the proposals."""
    if any(one.estimated for one in calibration.thresholds):
        yield "~ marks an estimate, because too few pairs are that similar."
    by_hand = [one.name for one in calibration.thresholds if one.source == "settings"]
    if by_hand:
        yield f"Settings override stored thresholds: {', '.join(by_hand)}."
    yield f"Model: {calibration.fingerprint}"


def percent(share: float) -> str:
    """Return a share as a percentage with three digits, but no finer than a millionth."""
    if share <= 0:
        return "0 %"
    digits = min(max(2 - math.floor(math.log10(100 * share)), 0), 4)
    return f"{100 * share:.{digits}f} %"


def _first(shown: Distribution) -> int:
    return next(place for place, count in enumerate(shown.counts) if count)


def _cell(calibration: Calibration, kind: PairKind, row: int) -> Text:
    shown = calibration.among_thoughts if kind == "thoughts" else calibration.with_knowledge
    share = sum(shown.counts[row * _MERGED : (row + 1) * _MERGED]) / shown.pairs
    cell = Text(_bar(share), style="cyan" if kind == "thoughts" else "green")
    cell.append(f"{percent(share) if share else '':>8} ")
    for sign, style, names in (
        (_NOW, "dim", _marks(calibration, kind, row, proposed=False)),
        (_NEW, "bold", _marks(calibration, kind, row, proposed=True)),
    ):
        if names:
            cell.append(sign + " ".join(names) + " ", style=style)
    cell.truncate(_CELL, pad=True)
    return cell


def _marks(calibration: Calibration, kind: PairKind, row: int, *, proposed: bool) -> list[str]:
    def place(one: Proposal) -> int:
        cosine = one.proposed if proposed else one.present
        return min(max(math.floor((cosine + 1) * 100 / _MERGED + 1e-6), 0), 200 // _MERGED - 1)

    return [one.name for one in calibration.thresholds if one.kind == kind and place(one) == row]


def _bar(share: float) -> str:
    """Return a bar of at most ten characters, in eighths; any share above 0 shows."""
    length = 0.0 if share <= 0 else max(1 + math.log10(share) / _DECADES, 0.0) * _BAR
    eighths = max(round(8 * length), 1 if share > 0 else 0)
    full, part = divmod(eighths, 8)
    return f"{'█' * full}{_EIGHTHS[part] if part else ''}".ljust(_BAR)
