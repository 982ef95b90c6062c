"""``legacymind calibrate``: the cosines of a memory, and the thresholds that fit them."""

from pathlib import Path

import click
from pydantic_core import to_jsonable_python

from legacymind.doors.cli import output
from legacymind.doors.cli.connect import connected
from legacymind.doors.cli.options import json_option, namespace_option
from legacymind.doors.cli.run import run
from legacymind.errors import InvalidInput
from legacymind.services.maintain.calibration import LEAST_THOUGHTS, MAX_SAMPLE, SAMPLE, Calibration


@click.command()
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
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write the output to an SVG file.",
)
@json_option
def calibrate(
    namespace: str | None,
    everywhere: bool,
    sample: int,
    store: bool,
    reset: bool,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Fit the thresholds of recall to your own memory (docs/calibration.md).

    Plots the cosines between its texts and proposes thresholds that let the same share of them pass as the
    model's own thresholds do on a reference corpus. --store stores them for the whole database.
    """
    if reset and (store or svg or everywhere or namespace):
        raise click.UsageError("--reset cannot be combined with other options.")
    if everywhere and namespace:
        raise click.UsageError("Use either --namespace or --all.")
    run(lambda: _reset(as_json) if reset else _calibrate(namespace, everywhere, sample, store, svg, as_json))


async def _reset(as_json: bool) -> None:
    async with connected() as mind:
        dropped = await mind.drop_calibration()
    if as_json:
        output.print_json({"dropped": dropped})
    else:
        output.message(
            "Stored thresholds removed; the model's own apply." if dropped else "No thresholds were stored."
        )


async def _calibrate(
    namespace: str | None, everywhere: bool, sample: int, store: bool, svg: Path | None, as_json: bool
) -> None:
    async with connected() as mind:
        with output.waiting() as progress:
            calibration = await mind.calibrate(
                namespace, everywhere=everywhere, sample=sample, progress=progress
            )
        if svg is not None:
            _write(svg, calibration)
        kept_at = await mind.keep_calibration(calibration) if store else None
    if as_json:
        output.print_json({**to_jsonable_python(calibration), "kept_at": kept_at})
        return
    from legacymind.doors.cli import calibration_text

    for line in calibration_text.plot(calibration):
        output.console.print(line, soft_wrap=True)
    for line in calibration_text.notes(calibration):
        output.message(line)
    if kept_at is None:
        output.message("Nothing was stored; use --store to store the proposed thresholds.")
    else:
        output.message("Stored. Running processes use them after their next start; --reset removes them.")


def _write(file: Path, calibration: Calibration) -> None:
    """Write what the command prints as an SVG file."""
    from rich.text import Text

    from legacymind.doors.cli import calibration_text
    from legacymind.doors.cli.svg_export import export_svg

    lines = [*calibration_text.plot(calibration), *map(Text, calibration_text.notes(calibration))]
    width = max(80, *(line.cell_len for line in lines))
    try:
        file.write_text(export_svg(lines, title="legacymind calibrate", width=width), encoding="utf-8")
    except OSError as reason:
        raise InvalidInput(f"{file} cannot be written: {reason.strerror}.", hint="Check the path.") from None
