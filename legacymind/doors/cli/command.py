"""What commands have in common: options, negative numbers, and the session as argument or option."""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

import click

from legacymind.doors.cli.wording import flags

_NEGATIVE: Final = re.compile(r"-\.?\d.*")
_SESSION: Final = "session_id"
_PAGER: Final = "legacymind.pager"
_BY_OPTION: Final = "legacymind.session"


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


class Command(click.Command):
    """A command that accepts negative numbers as arguments, which click would parse as options.

    A command with the argument ``session_id`` takes the session with `--session`, too.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arguments: Mapping[str, str] = {_SESSION: "The session."}
        """What the help says of arguments."""
        self.seldom: frozenset[str] = frozenset()
        """The names of options that the help lists after the others."""
        if any(each.name == _SESSION and isinstance(each, click.Argument) for each in self.params):
            option = click.Option(
                [*flags(_SESSION), "in_place"],
                metavar="SESSION",
                expose_value=False,
                callback=_in_place,
                help="The session, in place of the argument.",
            )
            self.params.insert(0, option)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, without the argument for the session if an option names it."""
        dropped = _SESSION if ctx.meta.get(_BY_OPTION) else None
        return [
            each
            for each in super().get_params(ctx)
            if each.name != dropped or not isinstance(each, click.Argument)
        ]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; those that are negative numbers are marked meanwhile."""
        ctx.meta[_BY_OPTION] = any(each.partition("=")[0] in flags(_SESSION) for each in args)
        rest = super().parse_args(ctx, [f"\0{each}" if _NEGATIVE.fullmatch(each) else each for each in args])
        ctx.params = {name: _unmarked(value) for name, value in ctx.params.items()}
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments, the options, and under a heading of their own those that are seldom needed."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], "Seldom needed": []}
        for each in self.get_params(ctx):
            if isinstance(each, click.Argument):
                if told := self.arguments.get(each.name or ""):
                    sections["Arguments"].append((each.make_metavar(ctx), told))
            elif record := each.get_help_record(ctx):
                sections["Seldom needed" if each.name in self.seldom else "Options"].append(record)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _in_place(context: click.Context, option: click.Parameter, given: str | None) -> None:
    if given is not None:
        context.params[_SESSION] = given


def _unmarked(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_unmarked, cast("tuple[Any, ...]", value)))
    return value.removeprefix("\0") if isinstance(value, str) else value
