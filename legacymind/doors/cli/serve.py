"""The commands `mcp` and `serve`."""

from typing import Literal

import click

from legacymind.settings import load_settings

profile_option = click.option(
    "--profile",
    type=click.Choice(["core", "full"]),
    default="core",
    show_default=True,
    help="Tools to offer.",
)


@click.command()
@profile_option
def mcp(profile: Literal["core", "full"]) -> None:
    """Serve MCP on standard input and output."""
    from legacymind.doors.mcp import stdio as door

    door.run_stdio(load_settings(), profile)


@click.command()
def serve() -> None:
    """Serve GraphQL, with GraphiQL for the browser, and MCP over HTTP, on loopback."""
    from legacymind.doors.http import app

    app.serve(load_settings())
