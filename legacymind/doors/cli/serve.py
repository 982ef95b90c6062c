"""Serving agents and UIs: mcp over stdio, GraphQL over HTTP."""

from typing import Literal

import click

from legacymind.doors.cli.run import configured


@click.command()
@click.option(
    "--profile", type=click.Choice(["core", "full"]), default="core", show_default=True, help="Which tools."
)
def mcp(profile: Literal["core", "full"]) -> None:
    """Serve an agent over MCP on standard input and output."""
    from legacymind.doors.mcp import stdio as door

    door.run_stdio(configured(), profile)


@click.command()
def serve() -> None:
    """Serve GraphQL, with GraphiQL in a browser, on loopback."""
    from legacymind.doors.http import app

    app.serve(configured())
