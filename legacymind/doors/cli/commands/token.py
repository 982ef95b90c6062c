"""The commands `token create`, `token list` and `token revoke`."""

import click

from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import json_option
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import in_mind
from legacymind.model.maintenance import TokenTrust
from legacymind.origins import ROLES, Role


@click.group(epilog=examples("token create laptop --role read", "token list", "token revoke ID"))
def token() -> None:
    """Make, list and revoke tokens for clients of `serve`."""


@token.command()
@click.argument("name")
@click.option(
    "--namespace",
    "namespaces",
    multiple=True,
    help="Namespace that the token may use; repeat it for several, the default one first. Default: the "
    "setting `namespace`.",
)
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default="write",
    show_default=True,
    help="What to allow: read; also store; also forget, merge and the like; also jobs over the whole memory.",
)
@click.option(
    "--trust",
    type=click.Choice(["agent", "user"]),
    default="agent",
    show_default=True,
    help="Who makes the calls; only what the user says may change what the user said.",
)
@json_option
def create(name: str, namespaces: tuple[str, ...], role: Role, trust: TokenTrust, as_json: bool) -> None:
    """Make a token and print it. It is printed only once: the database keeps a hash of it.

    NAME says who uses it.
    """
    made = in_mind(
        lambda mind, _: mind.create_token(name, namespace=namespaces or None, role=role, trust=trust)
    )
    output.answer(made, as_json, made.text)
    click.echo(
        f"Token {made.id} has the role {made.role} in the namespace {', '.join(made.namespaces)}. "
        "Keep it now; it cannot be shown again.",
        err=True,
    )


@token.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the tokens of the database, without their texts."""
    show.told(in_mind(lambda mind, _: mind.tokens()), as_json)


@token.command()
@click.argument("id")
@json_option
def revoke(id: str, as_json: bool) -> None:
    """Revoke a token. Servers refuse it within two seconds."""
    in_mind(lambda mind, _: mind.revoke_token(id))
    output.answer({"id": id, "revoked": True}, as_json, f"Revoked {id}.")
