"""What the command line prints with: wrapped and coloured in a terminal, one line per item when piped."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final, cast

import click
from rich.console import (
    Console,
    ConsoleOptions,
    ConsoleRenderable,
    RenderableType,
    RenderHook,
    RenderResult,
)
from rich.markup import escape
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as ProgressBars
from rich.segment import Segment
from rich.text import Text

from legacymind.characters import escaped, visible
from legacymind.doors.answer import compact, jsonable
from legacymind.model.base import Camel
from legacymind.model.chain import ChainHeads
from legacymind.model.progress import Progress, no_progress
from legacymind.operations.results import camelized

_UNWRAPPED: Final = 1_000_000
"""Columns of output that is not a terminal, so that each item stays on a line of its own."""


class _Output(Console):
    """A console without a right margin where it is no terminal."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(highlight=False, stderr=stderr)
        if not self.is_terminal:
            self.width = _UNWRAPPED

    def on_broken_pipe(self) -> None:
        """Raise the BrokenPipeError that is handled; `main` ends the program."""
        raise


class _Harmless:
    """Something to print, without control characters in its texts, which could drive the terminal."""

    def __init__(self, renderable: RenderableType) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


class _Cleaning(RenderHook):
    """Cleans all that a console prints: stored texts may come from anybody."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Harmless(each) for each in renderables]


console: Final = _Output()
console.push_render_hook(_Cleaning())
errors: Final = _Output(stderr=True)


def message(text: str) -> None:
    """Print plain text. It keeps its line breaks; a terminal wraps long lines between words."""
    console.print(Text(text, overflow="ignore"))


def remark(text: str) -> None:
    """Print plain text to standard error, so that standard output has results only."""
    click.echo(visible(text), err=True)


def address(text: str) -> None:
    """Print a line with a path or an address, which must stay in one piece to be copied."""
    console.print(Text(text), soft_wrap=True)


def wrapped(prefix: Text, text: str, *, style: str = "") -> None:
    """Print a text as one paragraph beside its prefix."""
    body = Text(" ".join(text.split()), style=style)
    indent = prefix.cell_len
    if console.width - indent < 30:  # so few columns beside the prefix that the text begins below it
        console.print(prefix)
        prefix, indent = Text("    "), 4
    lines = body.wrap(console, max(console.width - indent, 1)) or [Text()]
    for number, line in enumerate(lines):
        line.rstrip()
        console.print((Text(" " * indent) if number else prefix) + line, soft_wrap=True)


def fields(values: Mapping[str, Any]) -> None:
    """Print names, with spaces in place of underscores, and values, one per line."""
    width = max(map(len, values), default=0)
    for name, value in values.items():
        wrapped(Text(f"{name.replace('_', ' '):<{width}}  "), plain(value))


def plain(value: object) -> str:
    """Return a value on one line, without the marks of JSON."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {plain(each)}" for key, each in cast("dict[str, object]", value).items())
    if isinstance(value, list):
        return "; ".join(map(plain, cast("list[object]", value))) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def print_json(value: Any) -> None:
    """Print a result as JSON on one line: every member, with the names that it has at every door.

    Exported chain heads also omit what their signature does not cover.
    """
    listed = cast("list[object]", value) if isinstance(value, list) else [value]
    if listed and isinstance(listed[0], Camel):
        value = jsonable(value) if isinstance(value, ChainHeads) else camelized(value)
    print(escaped(compact(value)))


def answer(value: Any, as_json: bool, text: str) -> None:
    """Print the result of a command: JSON, or a text for people."""
    if as_json:
        print_json(value)
    else:
        address(text)


@contextmanager
def progress() -> Generator[Progress]:
    """Progress on standard error: moving in a terminal, else one line per stage."""
    if errors.is_terminal:
        with waiting() as shown:
            yield shown
        return
    stages: set[str] = set()

    def line(stage: str, done: int, total: int, /) -> None:
        if stage not in stages:
            stages.add(stage)
            errors.print(escape(f"{stage} …"))

    yield line


@contextmanager
def waiting() -> Generator[Progress]:
    """As ``progress``, but in a terminal only: for work that is mostly short.

    A bar for each stage, with the time it takes; that of a stage without parts moves, too. Bars are shown
    from the first report on, and only while a stage is unfinished.
    """
    if not errors.is_terminal:
        yield no_progress
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bars = ProgressBars(*columns, console=errors, transient=True)
    tasks: dict[str, TaskID] = {}
    finished: set[str] = set()

    def bar(stage: str, done: int, total: int, /) -> None:
        if stage in finished:
            return
        whole = None if total <= 1 else total  # None: the bar pulses
        if stage not in tasks:
            tasks[stage] = bars.add_task(escape(stage), total=whole)
            bars.start()
            bars.refresh()  # at once, also among other bars
        bars.update(tasks[stage], completed=done, total=whole)
        if done >= total:
            finished.add(stage)
            bars.remove_task(tasks.pop(stage))
            if not tasks:
                bars.stop()

    try:
        yield bar
    finally:
        bars.stop()
