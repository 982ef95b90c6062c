"""``legacymind calibrate``: the thresholds of recall that fit the cosines of a memory."""

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
)

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
    """Fit the thresholds of recall to your own memory (docs/operation/embeddings.md).

    Proposes thresholds that let the same share of cosines between its texts pass as the model's own
    thresholds do on a reference corpus. --store stores them for the whole database.
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
    for line in table(found):
        output.console.print(line, soft_wrap=True)
    for line in notes(found):
        output.message(line)
    if kept_at is None:
        output.message("Nothing was stored; use --store to store the proposed thresholds.")
    else:
        output.message("Stored. Running processes use them after their next start; --reset removes them.")


def table(calibration: Calibration) -> Iterator[Text]:
    """Yield the thresholds in use beside the proposed ones."""
    yield Text(f"Cosines of {calibration.basis}")
    yield Text(f"{'':31}in use{'':13}proposed", style="bold")
    for one in calibration.thresholds:
        line = Text(f"{one.name:<6}{_MEANINGS[one.name]:<24}")
        line.append(f"{one.present:>6.2f} ").append(f"{_SOURCES[one.source]:<12}", style="dim")
        yield line.append(f"{'~' if one.estimated else '':>5}{one.proposed:.2f}", style="bold")


def notes(calibration: Calibration) -> Iterator[str]:
    """Yield remarks about the proposals."""
    if any(one.estimated for one in calibration.thresholds):
        yield "~ marks an estimate, because too few pairs are that similar."
    by_hand = [one.name for one in calibration.thresholds if one.source == "settings"]
    if by_hand:
        yield f"Settings override stored thresholds: {', '.join(by_hand)}."
    yield f"Model: {calibration.fingerprint}"
