"""The commands `namespace list`, `namespace quota` and `namespace delete`."""

import click

from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import json_option
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import in_mind

_LIMIT = click.IntRange(min=0)


@click.group(
    epilog=examples(
        "namespace list",
        "namespace quota team --thoughts 10000",
        "namespace delete team --confirm",
    )
)
def namespace() -> None:
    """List, limit and delete namespaces.

    The embedding model is that of the whole database.
    """


@namespace.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the namespaces with their thoughts, entities, facts, characters of text, tokens and quotas."""
    found = in_mind(lambda mind, _: mind.namespaces())
    show.told(found, as_json)


@namespace.command()
@click.argument("name")
@click.option("--thoughts", type=_LIMIT, help="Most thoughts. Default: no limit.")
@click.option("--text", type=_LIMIT, help="Most characters of texts. Default: no limit.")
@json_option
def quota(name: str, thoughts: int | None, text: int | None, as_json: bool) -> None:
    """Set the quota of a namespace. Without options, the namespace has no quota.

    Servers follow within half a minute.
    """
    in_mind(lambda mind, _: mind.set_quota(name, thoughts=thoughts, text=text))
    told = f"{name} has {'no' if thoughts is text is None else 'this'} quota."
    output.answer({"namespace": name, "thoughts": thoughts, "text": text}, as_json, told)


@namespace.command()
@click.argument("name")
@click.option("--confirm", is_flag=True, help="Delete it. Without it, the command shows only what would go.")
@json_option
def delete(name: str, confirm: bool, as_json: bool) -> None:
    """Delete a namespace entirely, with its tokens and its quota; first a plan."""
    result = in_mind(lambda mind, _: mind.delete_namespace(name, confirm=confirm))
    show.told(result, as_json)
