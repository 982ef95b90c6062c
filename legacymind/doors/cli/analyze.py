"""The command `analyze`: graph algorithms over a namespace, with their progress."""

from typing import get_args

import click

from legacymind.doors.cli import output, show_analysis
from legacymind.doors.cli.connect import connected
from legacymind.doors.cli.options import json_option, namespace_option
from legacymind.doors.cli.run import run
from legacymind.services.maintain.analysis import What


@click.command()
@click.argument("what", type=click.Choice(get_args(What)), default="all")
@click.option(
    "--neighbours",
    type=click.IntRange(1, 20),
    default=5,
    show_default=True,
    help="Most similar thoughts that a thought is linked to.",
)
@click.option(
    "--min-similarity",
    type=click.FloatRange(0, 1),
    help="Least cosine of neighbours. [default: the threshold of recall at injection scale 3]",
)
@namespace_option
@json_option
def analyze(
    what: What, neighbours: int, min_similarity: float | None, namespace: str | None, as_json: bool
) -> None:
    """Link similar thoughts, report near duplicates, and compute mass and communities.

    WHAT is one of these, or all (docs/graph-algorithms.md).

    Needs the Graph Data Science plugin on the server; the managed engine has it.
    """

    async def work() -> None:
        async with connected() as mind:
            with output.waiting() as progress:
                result = await mind.services.analysis.run(
                    what, namespace, progress, neighbours=neighbours, min_similarity=min_similarity
                )
        if as_json:
            output.print_json(result)
        else:
            show_analysis.analysis(result)

    run(work)
