"""The commands `mcp` and `serve`."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from legacymind.settings import load_settings

if TYPE_CHECKING:
    from legacymind.doors.mcp.server import Listing


def profile_option(*choices: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option for the tools to offer; the first choice is the default."""
    return click.option(
        "--profile",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="Tools to offer.",
    )


@click.command()
@profile_option("core", "full", "chatgpt")
@click.option("--namespace", help="Namespace of all calls; a call that specifies another is refused.")
def mcp(profile: "Listing", namespace: str | None) -> None:
    """Serve MCP on standard input and output."""
    from legacymind.doors.mcp import stdio as door

    settings = load_settings()
    if namespace is not None:
        settings = replace(settings, namespace=namespace, namespace_fixed=True)
    door.run_stdio(settings, profile)


@click.command()
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that share the port. With more than one, MCP clients name session_id in each call.",
)
def serve(workers: int) -> None:
    """Serve GraphQL, with GraphiQL for the browser, and MCP over HTTP."""
    from legacymind.doors.http import process

    process.serve(load_settings(), workers)
