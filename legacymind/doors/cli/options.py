"""Options that several commands have."""

from typing import Final

import click

_PAGER: Final = "legacymind.pager"


def _no_pager(context: click.Context, option: click.Parameter, given: bool) -> None:
    if given:
        context.meta[_PAGER] = False


def pager_wanted() -> bool:
    """Whether the running command may show long output in a pager."""
    context = click.get_current_context(silent=True)
    return context is None or context.meta.get(_PAGER, True)


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
pager_option = click.option(
    "--no-pager",
    is_flag=True,
    expose_value=False,
    callback=_no_pager,
    help="Print long output at once. Default: in a terminal, in the pager that PAGER names, or less.",
)
namespace_option = click.option(
    "--namespace", metavar="TEXT", help="Namespace to use. Default: the setting `namespace`."
)
