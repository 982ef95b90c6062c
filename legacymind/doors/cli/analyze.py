"""The command `analyze`: graph algorithms over a namespace, with their progress."""

from typing import get_args

import click

from legacymind.doors.answer import compact, jsonable
from legacymind.doors.cli import show, show_analysis
from legacymind.doors.cli.run import run
from legacymind.mind import Mind
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
@click.option("--namespace", help="Namespace to analyze.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, as the MCP tool returns it.")
def analyze(
    what: What, neighbours: int, min_similarity: float | None, namespace: str | None, as_json: bool
) -> None:
    """Link similar thoughts, report near duplicates, and compute mass and communities.

    WHAT is one of these, or all (docs/graph-algorithms.md).

    Needs the Graph Data Science plugin on the server; the managed engine has it.
    """

    async def work() -> None:
        async with Mind() as mind:
            with show.progress(quiet=as_json) as progress:
                result = await mind.services.analysis.run(
                    what, namespace, progress, neighbours=neighbours, min_similarity=min_similarity
                )
        if as_json:
            print(compact(jsonable(result)))
        else:
            show_analysis.analysis(result)

    run(work)
