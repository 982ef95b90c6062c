"""The command line in a terminal: wrapped texts, and progress that moves."""

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from rich.console import Console

from legacymind.doors.cli import output
from legacymind.mind import Mind
from tests.doors.cli.commands import Env, environment, here
from tests.steps import store_thought

pytestmark = pytest.mark.anyio

COLUMNS, LINES = 60, 12


class Terminal:
    """A command whose output is a terminal of 60 columns and 12 lines. Its progress goes to pytest."""

    def __init__(self, env: Env, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        # pytest loads readline, which may set these to another size; they would come first.
        own = {name: text for name, text in env.items() if name not in {"COLUMNS", "LINES"}}
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "legacymind", *arguments],
            env=own | {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
            stdin=slave,
            stdout=slave,
        )
        os.close(slave)

    def shown(self) -> str:
        """Everything that it wrote until it ended."""
        parts: list[bytes] = []
        while True:
            try:
                parts.append(os.read(self._master, 65_536))
            except OSError:  # the end, as Linux reports it
                break
            if not parts[-1]:
                break
        os.close(self._master)
        assert self._process.wait(60) == 0
        return b"".join(parts).decode()


@pytest.mark.slow
async def test_long_output_is_wrapped_in_a_terminal_only(mind: Mind) -> None:
    text = "The kiln cracks every pot in its first firing, whatever the potter does. " * 2
    for number in range(LINES):
        await store_thought(mind, f"{text}{number}", session_id="kiln")
    env = environment(mind.settings)
    command = ("thread", "kiln")
    shown = Terminal(env, *command).shown()
    assert "\x1b[2m" in shown  # dim
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()
    words = " ".join(" ".join(lines).split())
    assert words.count("whatever the potter does.") == 2 * LINES
    assert [line for line in lines if "kiln" in line and len(line) > COLUMNS] == []
    assert len(lines) > 4 * LINES
    piped = here(env, *command).stdout
    assert piped.count(f"{text}0") == 1  # on one line
    assert "\x1b" not in piped


def test_progress_moves_while_a_stage_is_unfinished_and_leaves_the_terminal_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(output, "errors", Console(file=screen, force_terminal=True, width=80))
    with output.waiting() as progress:
        assert not screen.getvalue()  # nothing is shown for work that is not needed
        progress("Starting Neo4j", 0, 1)
        assert "Starting Neo4j" in screen.getvalue()
        progress("Starting Neo4j", 1, 1)
        ended = screen.getvalue()
        assert ended.count("\x1b[?25h") == ended.count("\x1b[?25l") == 1  # the cursor
    failing = output.waiting()
    failing.__enter__()("Downloading", 1, 5)
    failing.__exit__(RuntimeError, RuntimeError(), None)
    shown = screen.getvalue()
    assert shown.count("\x1b[?25h") == shown.count("\x1b[?25l") == 2


def test_an_engine_that_starts_during_other_work_has_a_bar_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(output, "errors", Console(file=screen, force_terminal=True, width=80))
    with output.waiting() as engine:
        with output.progress() as imported:
            imported("Checking lines", 1, 5)
            engine("Starting Neo4j", 0, 1)
            assert "Starting Neo4j" in screen.getvalue()
            engine("Starting Neo4j", 1, 1)
        shown = screen.getvalue()
        assert shown.count("\x1b[?25h") == shown.count("\x1b[?25l") == 1  # one display, which has ended
