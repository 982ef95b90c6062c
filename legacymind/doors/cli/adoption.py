"""Nodes made by hand, as commands adopt and report them."""

from typing import Any, Final

import click

from legacymind.errors import LegacyMindError
from legacymind.mind import Mind

_LISTED: Final = 10
"""The most refused nodes that are listed."""


async def adopt(mind: Mind) -> None:
    """Adopt nodes made by hand before a command; report on standard error.

    An error is left to the command itself. Does nothing if the setting ``adopt_interval`` is 0.
    """
    if not mind.settings.adopt_interval:
        return
    try:
        found = await mind.adopt()
    except LegacyMindError:
        return
    if found.adopted:
        click.echo(f"Adopted {found.adopted:,} nodes made by hand.", err=True)
    for refused in found.new[:_LISTED]:
        click.echo(f"A node made by hand ({refused.element_id}) is not used: {refused.reason}", err=True)
    if len(found.new) > _LISTED:
        click.echo(f"{len(found.new) - _LISTED:,} more: see `legacymind status`.", err=True)


async def unadopted(mind: Mind) -> dict[str, Any] | None:
    """The field ``by_hand`` of ``status``; None if the database cannot tell."""
    try:
        found = await mind.unadopted()
    except LegacyMindError:
        return None
    return {
        "appeared": found.appeared,
        "waiting": found.waiting,
        "refused": found.refused_count,
        "reasons": [f"{each.kind} {each.element_id}: {each.reason}" for each in found.refused[:_LISTED]],
    }
