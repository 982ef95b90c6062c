"""The commands `token create`, `token list` and `token revoke`."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import click
from rich.table import Table

from legacymind.doors.cli import output
from legacymind.doors.cli.connect import connected
from legacymind.doors.cli.options import json_option
from legacymind.doors.cli.run import run
from legacymind.mind import Mind
from legacymind.model.tokens import TokenScope

T = TypeVar("T")


@click.group()
def token() -> None:
    """Make, list and revoke tokens for clients of `serve`."""


@token.command()
@click.argument("name")
@click.option("--namespace", help="Namespace of all calls with the token. Default: the setting `namespace`.")
@click.option(
    "--scope",
    type=click.Choice(["read", "write"]),
    default="write",
    show_default=True,
    help="Operations to allow: those that only read, or all.",
)
@json_option
def create(name: str, namespace: str | None, scope: TokenScope, as_json: bool) -> None:
    """Make a token and print it. It is printed only once: the database keeps a hash of it.

    NAME says who uses it.
    """
    made = _with_mind(lambda mind: mind.create_token(name, namespace=namespace, scope=scope))
    if as_json:
        output.print_json(made)
    else:
        output.address(made.text)
    click.echo(
        f"Token {made.id} allows to {made.scope} in the namespace {made.namespace}. "
        "Keep it now; it cannot be shown again.",
        err=True,
    )


@token.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the tokens of the database, without their texts."""
    tokens = _with_mind(lambda mind: mind.tokens())
    if as_json:
        output.print_json(tokens)
        return
    table = Table("id", "name", "namespace", "scope", "created", box=None)
    for one in tokens:
        table.add_row(one.id, one.name, one.namespace, one.scope, f"{one.created_at:%Y-%m-%d %H:%M}")
    output.console.print(table if tokens else "There are no tokens.")


@token.command()
@click.argument("id")
@json_option
def revoke(id: str, as_json: bool) -> None:
    """Revoke a token. Servers refuse it within two seconds."""
    _with_mind(lambda mind: mind.revoke_token(id))
    if as_json:
        output.print_json({"id": id, "revoked": True})
    else:
        output.message(f"Revoked {id}.")


def _with_mind(work: Callable[[Mind], Awaitable[T]]) -> T:
    async def call() -> T:
        async with connected() as mind:
            return await work(mind)

    return run(call)
