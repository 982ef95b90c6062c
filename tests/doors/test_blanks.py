"""A blank optional parameter is left out, at every door, and results name the namespace that was used."""

import dataclasses
import json
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import pytest

from legacymind.doors.cli import operations as commands
from legacymind.doors.cli.command import ARGUMENTS, flags
from legacymind.mind import Mind
from legacymind.model.about import is_record, members, unwrap
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter
from legacymind.settings import Settings
from tests.doors.cli.commands import here
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio

BLANKS: list[Any] = ["", " ", "\n\t", [""], [" ", ""]]


def every_operation() -> list[Operation]:
    return list(Mind(Settings(), embedder=FakeEmbedder()).operations.values())


def required(operation: Operation) -> dict[str, Any]:
    """The fewest arguments that an operation accepts."""
    return {each.name: _value(each) for each in operation.parameters if each.required}


def _value(parameter: Parameter) -> Any:
    kind, _ = unwrap(parameter.annotation)
    if get_origin(kind) is not list:
        return "x"
    item, _ = unwrap(get_args(kind)[0])
    return [{"content": "x"}] if is_record(item) else ["x"]


def optional(operation: Operation) -> Iterator[Parameter]:
    return (each for each in operation.parameters if not each.required)


def test_a_blank_is_left_out_for_every_optional_parameter_of_every_operation() -> None:
    checked = 0
    for operation in every_operation():
        given = required(operation)
        expected = operation.arguments.validate(given)
        for parameter in optional(operation):
            for blank in BLANKS:
                found = operation.arguments.validate(given | {parameter.name: blank})
                assert found == expected, (operation.name, parameter.name, blank)
                checked += 1
    assert checked > 1_000


def test_a_blank_is_left_out_for_every_optional_member_of_a_record() -> None:
    for operation in every_operation():
        for parameter in operation.parameters:
            kind, _ = unwrap(parameter.annotation)
            item, _ = unwrap(get_args(kind)[0]) if get_origin(kind) is list else (None, None)
            if not is_record(item):
                continue
            needed = {
                name: ["x"] if get_origin(unwrap(member)[0]) is list else "x"
                for name, member, default in members(item)
                if default is dataclasses.MISSING
            }
            record: dict[str, Any] = {**needed}
            given = required(operation) | {parameter.name: [record]}
            expected = operation.arguments.validate(given)
            for name in {name for name, _, _ in members(item)} - needed.keys():
                blank = {parameter.name: [record | {name: " "}]}
                assert operation.arguments.validate(given | blank) == expected, (operation.name, name)


def test_a_blank_for_a_required_parameter_is_not_left_out() -> None:
    for operation in every_operation():
        for name in required(operation):
            if operation.name != "think_batch":
                kept = [" "] if isinstance(required(operation)[name], list) else " "
                assert operation.arguments.validate(required(operation) | {name: " "})[name] == kept


def test_the_command_line_leaves_blanks_out(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded: list[dict[str, Any]] = []

    def record(op: Operation, arguments: dict[str, Any], **_: bool) -> None:
        recorded.append(op.arguments.validate(arguments))

    monkeypatch.setattr(commands, "_call", record)
    for operation in every_operation():
        if operation.name in commands._HANDWRITTEN:  # pyright: ignore[reportPrivateUsage]
            continue
        fixed = ["x" if each in ("x", ["x"]) else json.dumps(each) for each in required(operation).values()]
        first = operation.parameters[0]
        # An optional argument that is no option, such as a query.
        argument = first if not first.required and first.name in ARGUMENTS else None
        blanks = [
            word
            for parameter in optional(operation)
            if unwrap(parameter.annotation)[0] is not bool and parameter is not argument
            for word in (flags(parameter.name, ["session_id"])[-1], "")
        ]
        own = {  # defaults of the command line
            name: default
            for name, (default, _) in commands._ADAPTED.items()  # pyright: ignore[reportPrivateUsage]
            if any(name == each.name for each in operation.parameters)
        }
        recorded.clear()
        done = here({}, operation.declaration.command, *fixed, *([" "] if argument else []), *blanks)
        assert (done.returncode, done.stderr) == (0, ""), operation.name
        assert recorded == [operation.arguments.validate(required(operation)) | own], operation.name


async def test_a_result_names_the_namespace_that_was_used(mind: Mind) -> None:
    own, other = mind.settings.namespace, f"{mind.settings.namespace}-other"
    for given, used in (("", own), (" ", own), (None, own), (other, other)):
        thought = await mind.think("the kettle boils", namespace=given)
        assert thought.namespace == used
        session = {"session_id": "session", "namespace": given}
        of_thought = {"thought_id": thought.delegated_result.thought_id, "namespace": given}
        for name, arguments in {
            "search": {"namespace": given},
            "search_thoughts": {"query": "kettle", "method": "vector", "namespace": given},
            "thoughts_thread": session,
            "thoughts_links": of_thought,
            "walk_trail": of_thought,
            "explain_recall": of_thought,
            "record_outcome": {**of_thought, "outcome": "success"},
            "verify_chain": session,
            "chain_heads": {"namespace": given},
            "thought_tree": session,
            "thought_record": {**session, "thought_type": "note", "content": "x"},
            "remember": {"entities": [{"name": "Ada"}], "namespace": given},
        }.items():
            assert (await mind.operations[name].call(arguments)).namespace == used, name
    batch = await mind.think_batch([{"content": "x"}, {"content": "x", "namespace": other}])
    assert (batch.namespace, [each.namespace for each in batch.thoughts]) == (own, [None, other])


async def test_every_result_has_a_namespace() -> None:
    for operation in every_operation():
        assert "namespace" in {name for name, _, _ in members(operation.returns)}, operation.name
