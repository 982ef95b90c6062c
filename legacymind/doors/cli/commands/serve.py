"""The commands `mcp` and `serve`."""

from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, Final

import click

from legacymind.doors.cli.listing import examples
from legacymind.errors import ConfigurationError
from legacymind.settings import load_settings

if TYPE_CHECKING:
    from legacymind.doors.mcp.server import Listing

_SDK: Final = (2, 1)
"""The first release of the package mcp that the servers work with."""


def profile_option(*choices: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option for the tools to offer; the first choice is the default."""
    return click.option(
        "--profile",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="Tools to offer.",
    )


@click.command(epilog=examples("mcp", "mcp --profile full --namespace work"))
@profile_option("core", "full", "chatgpt")
@click.option("--namespace", help="Namespace of all calls; a call that specifies another is refused.")
def mcp(profile: "Listing", namespace: str | None) -> None:
    """Serve MCP on standard input and output, and answer `legacymind hook prompt` meanwhile."""
    _check_sdk()
    from legacymind.doors.cli.hooks.helper import answering
    from legacymind.doors.mcp import stdio as door

    settings = load_settings()
    if namespace is not None:
        settings = settings.changed(namespace=namespace, namespace_fixed=True)
    door.run_stdio(settings, profile, partial(answering, settings))


@click.command(epilog=examples("serve"))
def serve() -> None:
    """Serve the explorer (/), GraphQL with GraphiQL (/graphql) and MCP (/mcp) over HTTP."""
    _check_sdk()
    from legacymind.doors.http import process

    process.serve(load_settings())


def _check_sdk() -> None:
    """Raises ConfigurationError if the MCP SDK is too old; other packages may require that."""
    installed = metadata.version("mcp")
    if tuple(int(part) for part in installed.split(".")[:2]) < _SDK:
        least = ".".join(str(part) for part in _SDK)
        raise ConfigurationError(
            f"The servers need the package mcp {least} or later; this environment has {installed}.",
            hint="Run them in an environment of their own, such as `uvx legacymind mcp`, or upgrade mcp. "
            "All other commands and the Python API work here.",
        )
