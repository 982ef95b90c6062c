"""The command `reembed`: a change of the embedding model, step by step, with its progress."""

import json
from pathlib import Path
from typing import get_args

import click
from pydantic import TypeAdapter, ValidationError

from legacymind.doors.cli import output, show_reembed
from legacymind.doors.cli.connect import connected
from legacymind.doors.cli.options import json_option
from legacymind.doors.cli.run import run
from legacymind.errors import InvalidInput
from legacymind.model.reembed import JudgedQuestion
from legacymind.services.maintain.reembed import ReembedAction


@click.command()
@click.argument("action", type=click.Choice(get_args(ReembedAction)), default="run")
@click.option(
    "-k",
    "k",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="compare: number of nearest nodes to compare.",
)
@click.option(
    "--sample",
    type=click.IntRange(10, 2000),
    default=200,
    show_default=True,
    help="compare: number of stored texts to sample.",
)
@click.option(
    "--questions",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help='compare: judged questions, as a JSON list or JSON Lines of {"question": …, "evidence": [ID, …]}.',
)
@click.option(
    "--now",
    is_flag=True,
    help="drop: before the time is over, or give up vectors that were not switched to.",
)
@json_option
def reembed(
    action: ReembedAction, k: int, sample: int, questions: Path | None, now: bool, as_json: bool
) -> None:
    """Change the embedding model of the whole database (docs/embeddings.md).

    ACTION is a step, `run` unless given. Configure the new model for these commands. `run` embeds all texts
    beside the vectors in use; after an interruption it continues where it was. `compare` compares both
    models, `switch` makes the new one the database's, `roll_back` goes back to the old one, `drop` removes
    the old vectors, and `status` shows the state.
    """

    async def work() -> None:
        judged = None if questions is None else _judged(questions)
        async with connected() as mind:
            with output.progress() as progress:
                result = await mind.services.reembedding.advance(
                    action, progress, k=k, sample=sample, questions=judged or (), now=now
                )
        if as_json:
            output.print_json(result)
        else:
            show_reembed.reembedding(result)

    run(work)


def _judged(file: Path) -> list[JudgedQuestion]:
    """The judged questions of a file: a JSON list, or an object on each line."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as reason:
        raise InvalidInput(f"{file} cannot be read: {reason}.", hint="Check the path.") from None
    try:
        if text.lstrip().startswith("["):
            read = json.loads(text)
        else:
            read = [json.loads(line) for line in text.splitlines() if line.strip()]
        return TypeAdapter(list[JudgedQuestion]).validate_python(read)
    except (json.JSONDecodeError, ValidationError):
        raise InvalidInput(
            f"{file} has no judged questions.",
            hint='Write a JSON list, or an object on each line: {"question": "…", "evidence": ["ID"]}.',
        ) from None
