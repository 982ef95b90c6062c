"""The command line as people read it: text for every result, one way to name things, the same exit codes."""

import json
import re
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import click
import pytest

from legacymind.doors.answer import jsonable
from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import as_command, declared
from legacymind.doors.cli.exits import Exit
from legacymind.doors.cli.listing import NAMES
from legacymind.doors.cli.main import cli
from legacymind.mind import Mind
from legacymind.model.base import EntityInput
from legacymind.operations.examples import examples
from tests.doors.cli.commands import built, environment, here
from tests.steps import store_thought

pytestmark = pytest.mark.anyio

Known = Mapping[str, str]
"""Ids that the arguments of an operation may need."""

ARGUMENTS: Mapping[str, Callable[[Known], dict[str, Any]]] = {
    "think": lambda known: {"content": "Is the kiln hot?", "session_id": "s", "hypothesis": "It is hot"},
    "think_convo": lambda known: {"content": "What is a kiln?"},
    "think_technical": lambda known: {"content": "TimeoutError in the kiln", "verbose_analysis": True},
    "think_batch": lambda known: {"thoughts": [{"content": "One"}, {"content": "Two"}]},
    "record_outcome": lambda known: {"thought_id": known["first"], "outcome": "success"},
    "search": lambda known: {"query": "kiln", "explain": True},
    "search_thoughts": lambda known: {"query": "kiln"},
    "search_facets": lambda known: {"query": "kiln"},
    "context": lambda known: {"query": "kiln"},
    "walk_trail": lambda known: {"thought_id": known["last"]},
    "thoughts_thread": lambda known: {"session_id": "s"},
    "thoughts_links": lambda known: {"thought_id": known["last"]},
    "get": lambda known: {"id": known["first"]},
    "explain_recall": lambda known: {"thought_id": known["last"]},
    "recall": lambda known: {"content": "Is the kiln hot?"},
    "remember": lambda known: {"entities": [{"name": "Kiln"}, {"name": "Oven"}, {"name": "Stove"}]},
    "entity": lambda known: {"name": "Kiln"},
    "list_entities": lambda known: {},
    "forget": lambda known: {"id": known["entity"]},
    "merge": lambda known: {"keep": "Oven", "others": ["Stove"], "dry_run": True},
    "duplicates": lambda known: {"min_score": 0.5},
    "verify_chain": lambda known: {"session_id": "s"},
    "thought_record": lambda known: {"session_id": "s", "thought_type": "risk", "content": "It may crack."},
    "thought_plan": lambda known: {"session_id": "s", "plan_description": "Heat it.", "action_id": "a"},
    "thought_analysis": lambda known: {"session_id": "s", "analysis": "It heats slowly."},
    "thought_decision": lambda known: {"session_id": "s", "decision": "Wait.", "parent_id": known["first"]},
    "thought_reflection": lambda known: {"session_id": "s", "reflection": "It was right."},
    "redact_thought": lambda known: {"thought_id": known["last"], "reason": "asked for"},
    "relate_thought": lambda known: {"thought_id": known["first"], "target_id": known["last"]},
    "pin_thought": lambda known: {"thought_id": known["first"]},
    "thought_tree": lambda known: {"session_id": "s", "include_children": True},
    "thought_for_action": lambda known: {"action_id": "a"},
    "thought_reasoning_trail": lambda known: {"action_id": "a"},
    "chain_heads": lambda known: {},
    "analyze": lambda known: {"what": "neighbours"},
    "communities": lambda known: {},
    "detailed_help": lambda known: {"tool": "search", "max_tokens": 100_000},
    "confirm": lambda known: {"id": known["first"]},
    "touched": lambda known: {"id": known["first"]},
    "quarantine": lambda known: {"ids": [known["first"]], "dry_run": True},
    "release": lambda known: {"step": known["step"]},
    "curate": lambda known: {"min_age": 0},
    "maintenance_ops": lambda known: {"subcommand": "prune", "days": 0, "min_weight": 1},
    "reembed": lambda known: {"action": "status"},
}
"""Arguments with which each operation has a result. A new operation needs an entry and a text."""


def keys(value: Any) -> set[str]:
    """The names of all members inside a JSON value; keys of users' own data are among them."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return set(members).union(*map(keys, members.values()))
    return set[str]().union(*map(keys, cast("list[Any]", value))) if isinstance(value, list) else set()


async def test_every_result_is_text_for_people_and_json_with_the_names_of_mcp(
    mind: Mind, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = [await mind.think(f"The kiln is at {n} degrees", session_id="s", action_id="a") for n in (1, 2)]
    ids = [each.delegated_result.thought_id.removeprefix("thoughts:") for each in stored]
    entity = (await mind.remember([EntityInput(name="Pot")])).entities[0].id
    step = (await mind.quarantine([await store_thought(mind, "Pots explode.")])).step or ""
    known = {"first": ids[0], "last": ids[1], "entity": entity, "step": step}
    assert ARGUMENTS.keys() == mind.operations.keys()
    assert built()  # registers the outputs
    for name, arguments in ARGUMENTS.items():
        result = await mind.operations[name].call(arguments(known))
        show.result(result)
        text = capsys.readouterr().out
        assert text.strip(), name
        assert not re.search(r'[{}]|":', text), (name, text)
        output.print_json(result)
        answer = json.loads(capsys.readouterr().out)
        assert keys(jsonable(result)) <= keys(answer), (name, answer)


def test_every_operation_that_can_succeed_is_in_the_list() -> None:
    commands = {each.declaration.command for each in declared().values()}
    assert commands <= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_command_are_accepted(name: str) -> None:
    root = click.Context(cli, info_name="legacymind")
    shown = cli.get_command(root, name)
    assert shown is not None
    examples = re.findall(r"^  legacymind (.+)$", shown.epilog or "", re.MULTILINE)
    assert examples
    for example in examples:
        first, *words = shlex.split(example)
        assert first == name
        command = shown
        if isinstance(command, click.Group):
            command = command.get_command(root, words.pop(0))
        assert command is not None
        command.make_context(name, words, parent=root)
        assert f"legacymind {example}" in here({}, first, "--help").stdout


def test_the_examples_of_the_help_of_tools_are_commands_that_can_be_pasted() -> None:
    root = click.Context(cli, info_name="legacymind")
    for op in declared().values():
        for _, arguments in examples(op.name, {each.name for each in op.parameters}):
            name, *words = shlex.split(as_command(op, arguments))
            command = cli.get_command(root, name)
            assert command is not None
            given = command.make_context(name, words, parent=root).params
            assert {each for each in arguments if given.get(each) in (None, ())} == set(), (name, words)


async def test_whatever_does_not_exist_has_one_exit_code(mind: Mind) -> None:
    env = environment(mind.settings)
    reads = ("verify", "tree", "thread", "export", "trail", "show", "links", "entity", "action")
    writes = ("pin", "forget")
    for command in (*reads, "reasoning", *writes):
        done = here(env, command, "nosuch")
        assert (done.returncode, done.stdout) == (3, ""), command
        assert "nosuch" in done.stderr, command
    assert here(env, "heads").returncode == here(env, "communities").returncode == 0  # a list may be empty


async def test_a_tree_and_a_memory_are_whole_and_lists_show_beginnings(mind: Mind) -> None:
    long = f"The kiln cracks. {'It was heated slowly and cooled fast. ' * 60}So anneal it at last."
    first = await mind.think(long, session_id="kiln", action_id="anneal", author="ada")
    other = await mind.think("The kiln holds.", session_id="kiln", action_id="anneal")
    ids = [each.delegated_result.thought_id for each in (first, other)]
    env = environment(mind.settings)
    for command in (("tree", "kiln"), ("show", ids[0])):
        assert "So anneal it at last." in " ".join(here(env, *command).stdout.split()), command
    for command in (
        ("tree", "kiln", "--no-include-content"),
        ("search", "kiln cracks"),
        ("reasoning", "anneal"),
        ("action", "anneal"),
        ("explain", ids[0]),
        ("trail", ids[1]),
    ):
        assert "The kiln cracks." in (cut := here(env, *command).stdout), command
        assert ("So anneal it at last." in cut, "…" in cut) == (False, True), command


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("search", "x", "--limit", "many"), "Error: limit must be a whole number."),
        (("search", "x", "--as-of", "then"), "Error: as_of must be a time in ISO 8601"),
        (("remember", "--entities", '[{"nom": "x"}]'), "entities, item 1, nom is unknown."),
        (
            ("remember", "--entities", '[{"name": "x", "entityType": "a", "entity_type": "b"}]'),
            "Error: entity_type is given twice, also as 'entityType'.",
        ),
        (("think", " "), "Error: content is empty."),
        (("thread",), "Error: A thread needs a session_id or a chain_id."),
        (("think-batch", "{"), "Error: thoughts is not valid JSON"),
        (("think-batch", "@no-such-file.json"), "Error: There is no file no-such-file.json."),
        (("search", "x", "--limt", "1"), "No such option '--limt'. Did you mean '--limit'?"),
    ],
)
def test_errors_name_parameters_and_unknown_options(arguments: tuple[str, ...], message: str) -> None:
    done = here({"LEGACYMIND_ADOPT_INTERVAL": "0"}, *arguments)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    as_json = here({"LEGACYMIND_ADOPT_INTERVAL": "0"}, *arguments, "--json")
    assert json.loads(as_json.stdout)["error"]["code"] == "invalid_input"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("verify", "--against", "nosuch.json"), "nosuch.json cannot be read: No such file or directory."),
        (("browser", "nosuch"), "There is no saved query nosuch."),
        (("logs", "--lines", "-1"), "Invalid value for '-n' / '--lines'"),
        (("backup", "nosuch/memory.backup"), "there is no such folder"),
        (("maintain", "nosuch"), "There is no subcommand 'nosuch'."),
    ],
)
def test_errors_of_handwritten_commands_say_what_to_correct(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    env = {"LEGACYMIND_HOME": str(tmp_path)}
    done = here(env, *arguments)
    here(env, "down")  # some of them connect first, which starts an engine
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_help_names_the_exit_codes_and_fits_a_screen() -> None:
    lines = here({}, "--help").stdout.splitlines()
    assert len(lines) <= 54
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    assert all(f"{code.value} {code.meaning}" in text for code in Exit)


def test_help_describes_arguments() -> None:
    for name, command in built().items():
        shown, _, _ = here({}, name, "--help").stdout.partition("Examples:")
        described, _, _ = shown.partition("Options:")
        for argument in (each for each in command.params if isinstance(each, click.Argument)):
            assert re.search(rf"\n  \[?{argument.human_readable_name}\S*  +\S", described), argument.name
