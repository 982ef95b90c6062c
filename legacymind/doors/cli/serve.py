"""The commands `mcp` and `serve`."""

from dataclasses import replace
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
@click.option("--namespace", help="Namespace of all calls; a call that specifies another is refused.")
def mcp(profile: Literal["core", "full"], namespace: str | None) -> None:
    """Serve MCP on standard input and output."""
    from legacymind.doors.mcp import stdio as door

    settings = load_settings()
    if namespace is not None:
        settings = replace(settings, namespace=namespace, namespace_fixed=True)
    door.run_stdio(settings, profile)


@click.command()
def serve() -> None:
    """Serve GraphQL, with GraphiQL for the browser, and MCP over HTTP, on loopback."""
    from legacymind.doors.http import app

    app.serve(load_settings())
