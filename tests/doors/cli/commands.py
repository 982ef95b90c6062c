"""Runs ``legacymind`` like a shell: in a process, or in this process, which is one second faster."""

import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import click

from legacymind.doors.cli import main, operations
from legacymind.doors.cli.command import declared
from legacymind.embed.models import Published
from legacymind.settings import Settings

if TYPE_CHECKING:
    from fastembed import TextEmbedding

Env = dict[str, str]


@dataclass(frozen=True, slots=True)
class Done:
    """The exit code and the output of a command."""

    returncode: int
    stdout: str
    stderr: str


def built() -> dict[str, click.Command]:
    """The commands of all operations, by name."""
    names = [each.declaration.command for each in declared().values()]
    return {name: command for name in names if (command := operations.command(name)) is not None}


def environment(settings: Settings) -> Env:
    """This process's environment, with LegacyMind's variables from ``settings``, for the user's commands."""
    own = {"HOME": settings.home, "CACHE": settings.cache, "NAMESPACE": settings.namespace}
    own |= {"ADOPT_INTERVAL": str(settings.adopt_interval), "USER": "1"}
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("LEGACYMIND_", "NEO4J_"))}
    return kept | {f"LEGACYMIND_{name}": text for name, text in own.items()}


def process(env: Env, *arguments: str, stdin: bytes | None = None) -> Done:
    """Run the command in a process, as people and CI do."""
    done = subprocess.run(
        [sys.executable, "-m", "legacymind", *arguments],
        env={"PYTHONIOENCODING": "utf-8"} | env,
        input=stdin,
        capture_output=True,
        timeout=180,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def here(env: Env, *arguments: str, stdin: bytes | None = None) -> Done:
    """Run the command in this process, from ``main`` on, for tests that do not need a process.

    In a thread, because a command runs its own event loop.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_main, env, arguments, stdin).result()


_models: dict[tuple[Path, int], "TextEmbedding"] = {}
_open_model = Published.open


def _open_once(model: Published, threads: int) -> "TextEmbedding":
    """Load the model at the first command only, which takes 0.2 s of a core."""
    key = (model.folder, threads)
    if key not in _models:
        _models[key] = _open_model(model, threads)
    return _models[key]


def _main(env: Env, arguments: tuple[str, ...], stdin: bytes | None) -> Done:
    output, errors = io.StringIO(), io.StringIO()
    typed = io.TextIOWrapper(io.BytesIO(stdin or b""), encoding="utf-8")
    code = 0
    with (
        patch.dict(os.environ, env, clear=True),
        patch.object(sys, "argv", ["legacymind", *arguments]),
        patch.object(sys, "stdin", typed),
        redirect_stdout(output),
        redirect_stderr(errors),
        patch.object(Published, "open", _open_once),
    ):
        try:
            main.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Done(code, output.getvalue(), errors.getvalue())
