"""Searches with a changed copy of the package; test_filters.py runs it with the copy first on the path."""

import asyncio
import json
import sys
from typing import Any

import click

import legacymind
from legacymind.doors.cli.operations import command as command_of
from legacymind.doors.graphql.schema import sdl
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder


async def answers(settings: Settings, searches: list[dict[str, Any]]) -> list[list[str] | str]:
    """The ids of each search's hits, or its error."""
    made: list[list[str] | str] = []
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        for arguments in searches:
            try:
                result = await mind.operations["search"].call(arguments)
            except InvalidInput as refused:
                made.append(str(refused))
            else:
                made.append([hit.id for hit in result.hits])
    return made


if __name__ == "__main__":
    request = json.load(sys.stdin)
    command = command_of("search")
    assert command is not None
    answer = {
        "package": legacymind.__file__,
        "answers": asyncio.run(answers(Settings(**request["settings"]), request["searches"])),
        "mcp": Mind(Settings()).operations["search"].input_schema()["properties"],
        "graphql": sdl(),
        "help": command.get_help(click.Context(command, max_content_width=200)),
    }
    print(json.dumps(answer))
