"""``legacymind calibrate``: the thresholds of recall that fit the cosines of a memory."""

from datetime import datetime

import click
from pydantic_core import to_jsonable_python

from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import json_option, namespace_option
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import in_mind
from legacymind.mind import Mind
from legacymind.model.progress import Progress
from legacymind.services.maintain.calibration import Calibration


@click.command(epilog=examples("calibrate", "calibrate --all --store"))
@namespace_option
@click.option("--all", "everywhere", is_flag=True, help="Measure all namespaces together.")
@click.option("--store", is_flag=True, help="Store the proposed thresholds in the database.")
@click.option(
    "--reset", is_flag=True, help="Remove stored thresholds and use the model's own. Measures nothing."
)
@json_option
def calibrate(
    namespace: str | None,
    everywhere: bool,
    store: bool,
    reset: bool,
    as_json: bool,
) -> None:
    """Fit the thresholds of recall to your own memory (docs/operation/embeddings.md).

    Proposes thresholds that let the same share of cosines between its texts pass as the model's own
    thresholds do on a reference corpus. --store stores them for the whole database; running processes use
    them after their next start.
    """
    if reset and (store or everywhere or namespace):
        raise click.UsageError("--reset cannot be combined with other options.")
    if everywhere and namespace:
        raise click.UsageError("Use either --namespace or --all.")
    if reset:
        dropped = in_mind(lambda mind, _: mind.drop_calibration())
        told = "Removed; the model's own thresholds apply." if dropped else "No thresholds were stored."
        output.answer({"dropped": dropped}, as_json, told)
        return

    async def work(mind: Mind, progress: Progress) -> tuple[Calibration, datetime | None]:
        measured = await mind.calibrate(namespace, everywhere=everywhere, progress=progress)
        return measured, await mind.keep_calibration(measured) if store else None

    found, kept_at = in_mind(work)
    show.told({**to_jsonable_python(found), "kept_at": kept_at}, as_json)
