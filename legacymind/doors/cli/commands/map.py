"""The command `map`: a drawing of the communities of a namespace."""

from pathlib import Path

import click

from legacymind.doors.cli import output
from legacymind.doors.cli.command import json_option, namespace_option
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import accessed, in_mind
from legacymind.errors import InvalidInput
from legacymind.services.analysis.maps import LEAST_NODES, MOST_NODES, NODES


@click.command("map", epilog=examples("map communities.svg --nodes 80"))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--nodes",
    type=click.IntRange(LEAST_NODES, MOST_NODES),
    default=NODES,
    show_default=True,
    help="About how many nodes to draw.",
)
@namespace_option
@json_option
def map_(file: Path, nodes: int, namespace: str | None, as_json: bool) -> None:
    """Draw the communities of a namespace as an SVG or PNG file.

    Needs `pip install 'legacymind[map]'`. Draws what the last `legacymind analyze` found: the twelve largest
    communities with their labels, and the members of the greatest mass (docs/graph-algorithms.md).
    """
    if file.suffix.lower() not in (".svg", ".png"):
        raise InvalidInput(
            f"{file} is not an SVG or PNG file.",
            hint="Use a name that ends in .svg or .png.",
        )
    # Before the database is read, so that a missing library is reported at once.
    from legacymind.doors.cli.show import map_drawing

    read = in_mind(lambda mind, _: mind.read_map(namespace, nodes=nodes))
    with accessed(file, "written"):
        map_drawing.draw(read, file)
    drawn = sum(len(community.members) for community in read.communities)
    if as_json:
        output.print_json({"file": file, "nodes": drawn, "communities": len(read.communities)})
    else:
        output.address(f"Drew {drawn} nodes of {len(read.communities)} communities: {file}")
