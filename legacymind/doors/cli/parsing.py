"""Commands that take negative numbers as arguments, and their session as an argument or an option."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

import click

from legacymind.doors.cli.wording import flags

_NEGATIVE: Final = re.compile(r"-\.?\d.*")
_SESSION: Final = "session_id"


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
        if self._subject() is not None:
            # It holds no value: parse_args makes the value the argument's.
            option = click.Option(
                flags(_SESSION),
                metavar="SESSION",
                expose_value=False,
                help="The session, in place of the argument.",
            )
            self.params.insert(0, option)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the arguments behind ``--`` if one is a negative number or the session is an option."""
        subject = self._subject()
        by_option = subject is not None and any(each.startswith(flags(_SESSION)[0]) for each in args)
        if not by_option and not any(map(_NEGATIVE.fullmatch, args)):
            return super().parse_args(ctx, args)
        options, arguments, session = self._split(args)
        if session is not None and subject is not None:
            arguments.insert(subject, session)
            if len(arguments) > sum(isinstance(each, click.Argument) for each in self.params):
                # Of an unknown option, click says so; its value was counted as an argument.
                super().parse_args(ctx, args)
                raise click.UsageError("Pass the session once: as an argument or with --session.", ctx)
        return super().parse_args(ctx, [*options, "--", *arguments])

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

    def _subject(self) -> int | None:
        """The place of the session among the arguments; None if it is not an argument."""
        names = [each.name for each in self.params if isinstance(each, click.Argument)]
        return names.index(_SESSION) if _SESSION in names else None

    def _split(self, args: list[str]) -> tuple[list[str], list[str], str | None]:
        """The options, the arguments, and the value of the option for the session, if it is an argument."""
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        moved = set(flags(_SESSION)) if self._subject() is not None else set[str]()
        options: list[str] = []
        arguments: list[str] = []
        session: str | None = None
        rest = iter(args)
        for each in rest:
            name, equals, value = each.partition("=")
            if each == "--":
                arguments.extend(rest)
            elif each == "-" or not each.startswith("-") or _NEGATIVE.fullmatch(each):
                arguments.append(each)
            elif name in moved and (given := [value] if equals else list(islice(rest, 1))):
                (session,) = given
            else:
                options.append(each)
                options.extend(islice(rest, 1 if each in valued else 0))
        return options, arguments, session
