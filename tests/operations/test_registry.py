"""One declaration gives an operation its parameters, its schema and its errors."""

import dataclasses
import inspect
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

import pytest
from pydantic import ConfigDict, Field

from legacymind.doors.answer import reported
from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.about import about, is_record, members, unwrap
from legacymind.model.values import Tags, Unit, Words, clamped, whole
from legacymind.operations.descriptions import Description, describe
from legacymind.operations.registry import Operation, operation, operations_of
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Answer:
    given: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Item:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    item_name: str
    weight: float = 1.0
    data: dict[str, Any] | None = None


class Service:
    session_id = None

    async def admit(self, given: Any) -> None:
        """Every call."""

    @operation(tool="legacymind_sample", command="sample", writes=True, profile="full")
    async def sample(
        self,
        text: Annotated[str, about("What to say", "The text to say")],
        scale: Annotated[int, whole(0, 5), about("How loud")] = 2,
        share: Unit | None = None,
        words: Words | None = None,
        kind: Literal["a", "b"] | None = None,
        loud: bool = False,
        ratio: Annotated[float, clamped(-1, 1)] = 0.5,
        labels: Tags | None = None,
        kinds: list[Literal["a", "b"]] | None = None,
        items: list[Item] | None = None,
    ) -> Answer:
        """Say something
        once.

        More that only a reader of the code needs.
        """
        names = "text scale share words kind loud ratio labels kinds items".split()
        scope = locals()
        return Answer({name: scope[name] for name in names})

    async def helper(self) -> None:
        """Not an operation."""


@pytest.fixture
def sample() -> Operation:
    (found,) = operations_of(Service())
    return found


def test_only_marked_methods_are_operations(sample: Operation) -> None:
    assert sample.name == "sample"
    declared = sample.declaration
    assert (declared.tool, declared.command) == ("legacymind_sample", "sample")
    assert (declared.writes, declared.profile) == (True, "full")
    assert sample.description == "Say something once."
    assert sample.returns is Answer


def test_parameters_are_those_of_the_signature(sample: Operation) -> None:
    text, scale, *_ = sample.parameters
    assert (text.name, text.required, text.description) == ("text", True, "What to say")
    assert text.help == "The text to say."
    assert (scale.name, scale.required, scale.default) == ("scale", False, 2)
    assert scale.help == "How loud. Range: 0 to 5. Default: 2."
    assert [
        p.name for p in sample.parameters
    ] == "text scale share words kind loud ratio labels kinds items".split()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"scale": "3"}, {"scale": 3}),
        ({"scale": " 3 "}, {"scale": 3}),
        ({"scale": 3.0}, {"scale": 3}),
        ({"scale": 99}, {"scale": 5}),
        ({"scale": -1}, {"scale": 0}),
        ({"scale": 10**400}, {"scale": 5}),
        ({"scale": "1e9"}, {"scale": 5}),
        ({"scale": math.inf}, {"scale": 5}),
        ({"share": "0.25"}, {"share": 0.25}),
        ({"share": 7}, {"share": 1.0}),
        ({"share": "-0.1"}, {"share": 0.0}),
        ({"share": None}, {"share": None}),
        ({"words": "one, two,, three "}, {"words": ["one", "two", "three"]}),
        ({"words": ["one", "two"]}, {"words": ["one", "two"]}),
        ({"words": ""}, {"words": None}),  # left out
        ({"loud": "true"}, {"loud": True}),
        ({"ratio": -3}, {"ratio": -1.0}),
        ({"scale": 2.7}, {"scale": 3}),
        ({"scale": "2.4"}, {"scale": 2}),
        ({"scale": "2.5"}, {"scale": 3}),
        ({"scale": 5.4}, {"scale": 5}),
        ({"scale": None, "loud": None, "ratio": None}, {"scale": 2, "loud": False, "ratio": 0.5}),
        ({"words": ' ["one, and", "two"]'}, {"words": ["one, and", "two"]}),
        ({"words": "[one, two"}, {"words": ["[one", "two"]}),
        ({"words": ["one, two"]}, {"words": ["one, two"]}),
        ({"labels": "one, two"}, {"labels": ["one", "two"]}),
        ({"labels": ["one, two"]}, {"labels": ["one", "two"]}),
        ({"labels": ['["one", "two"]']}, {"labels": ["one", "two"]}),
        ({"labels": ["one, and", "two"]}, {"labels": ["one, and", "two"]}),
        ({"kind": " B "}, {"kind": "b"}),
        ({"kinds": ["A", " b"]}, {"kinds": ["a", "b"]}),
        ({"kinds": "A,b"}, {"kinds": ["a", "b"]}),
        ({"items": [{"itemName": "x", "weight": None}]}, {"items": [Item("x")]}),
        ({"items": '[{"item_name": "x"}]'}, {"items": [Item("x")]}),
        (
            {"items": [{"item_name": "x", "data": {"itemName": None}}]},
            {"items": [Item("x", 1.0, {"itemName": None})]},
        ),
    ],
)
async def test_arguments_are_coerced(
    sample: Operation, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    answer: Answer = await sample.call({"text": "hello", **given})
    for name, value in expected.items():
        assert answer.given[name] == value
        assert type(answer.given[name]) is type(value)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "text is missing"),
        ({"text": None}, "text "),
        ({"text": 5}, "text "),
        ({"text": ["x"]}, "text "),
        ({"text": b"\xff\xfe"}, "text "),
        ({"text": "x", "scale": "much"}, "scale "),
        ({"text": "x", "scale": "[2]"}, "scale "),
        ({"text": "x", "scale": math.nan}, "scale "),
        ({"text": "x", "scale": "nan"}, "scale "),
        ({"text": "x", "scale": {}}, "scale "),
        ({"text": "x", "share": "nan"}, "share "),
        ({"text": "x", "share": []}, "share "),
        ({"text": "x", "ratio": math.nan}, "ratio "),
        ({"text": "x", "ratio": "NaN"}, "ratio "),
        ({"text": "x", "words": [1]}, "words, item 1 "),
        ({"text": "x", "words": {"a": 1}}, "words "),
        ({"text": "x", "kind": "c"}, "kind "),
        ({"text": "x", "loud": "perhaps"}, "loud "),
    ],
)
async def test_an_invalid_argument_is_named(sample: Operation, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        await sample.call(arguments)
    assert raised.value.what.startswith(told)
    assert raised.value.effect
    assert raised.value.hint
    raised.value.envelope()["error"]["message"].encode()  # every door can send it


async def test_all_invalid_arguments_are_named_at_once_and_known_names_are_listed(
    sample: Operation,
) -> None:
    with pytest.raises(InvalidInput) as raised:
        await sample.call({"content": "x", "scale": "much"})
    told = str(raised.value)
    for part in ("text is missing", "content is unknown", "scale "):
        assert part in told
    assert "Known parameters: text, scale, share, words, kind, loud, ratio, labels, kinds, items." in told


async def test_an_unknown_member_of_an_item_is_reported_with_the_known_ones(sample: Operation) -> None:
    with pytest.raises(InvalidInput) as raised:
        await sample.call({"text": "x", "items": [{"item_name": "x", "colour": 1}]})
    told = str(raised.value)
    assert "items, item 1, colour is unknown" in told
    assert "Members of items: item_name, weight, data." in told
    assert "scale" not in told


@pytest.mark.parametrize(
    "arguments",
    [
        {"text": "x", "Text": "y"},
        {"text": "x", "items": [{"itemName": "x", "item_name": "y"}]},
        {"text": "x", "items": [{"item_name": "x", "itemName": "y"}]},
    ],
)
async def test_an_argument_in_two_spellings_is_rejected(sample: Operation, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="is given twice"):
        await sample.call(arguments)


async def test_an_error_quotes_no_value_and_is_short(sample: Operation) -> None:
    secret = "my private diary " * 1000
    with pytest.raises(InvalidInput) as raised:
        await sample.call({"text": [secret], "kind": secret, secret: 1, "\ud800": 2})
    told = str(raised.value)
    assert len(told) < 1500
    assert told.count("my private diary") <= 5  # the name of the unknown parameter, cut
    told.encode()


async def test_errors_of_the_method_itself_are_unchanged() -> None:
    class Failing(Service):
        @operation(tool="t", command="c", writes=False)
        async def fail(self) -> None:
            """Fail."""
            raise LookupError("inside")

    (failing,) = operations_of(Failing())
    with pytest.raises(LookupError):
        await failing.call({})


@pytest.mark.parametrize("writes", [False, True])
async def test_only_a_failed_write_states_its_effect_on_the_data(*, writes: bool) -> None:
    class Failing(Service):
        @operation(tool="t", command="c", writes=writes)
        async def fail(self, kind: str) -> Answer:
            """Fail in some way."""
            if kind == "own":
                raise NotFound("It is gone.", effect="Nothing was recorded.")
            if kind == "known":
                raise NotFound("It is gone.", hint="Look.")
            raise RuntimeError("private")

    (failing,) = operations_of(Failing())
    effects = {
        "own": ("It is gone. Nothing was recorded.",) * 2,
        "known": ("It is gone. Look.", "It is gone. Nothing was stored or changed. Look."),
        "unknown": (
            "An internal error occurred in LegacyMind. Report",
            "An internal error occurred in LegacyMind. It is not known whether anything was stored. Report",
        ),
    }
    for kind, messages in effects.items():
        with pytest.raises(Exception) as raised:  # noqa: PT011
            await failing.call({"kind": kind})
        assert str(reported(raised.value)).startswith(messages[writes])


async def test_an_error_about_arguments_states_an_effect_for_writes_only() -> None:
    for op in Mind(Settings(), embedder=FakeEmbedder()).operations.values():
        with pytest.raises(InvalidInput) as raised:
            await op.call({"no such parameter": 1})
        assert ("Nothing was stored or changed." in str(raised.value)) is op.declaration.writes


def test_the_schema_is_short_and_has_the_required_parts(sample: Operation) -> None:
    schema = sample.input_schema()
    assert schema["required"] == ["text"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["text"] == {"type": "string", "description": "What to say"}
    assert schema["properties"]["kind"] == {"type": "string", "enum": ["a", "b"]}
    assert schema["properties"]["scale"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 5,
        "default": 2,
        "description": "How loud",
    }
    assert schema["properties"]["ratio"] == {"type": "number", "minimum": -1, "maximum": 1, "default": 0.5}
    assert schema["properties"]["items"]["items"]["required"] == ["item_name"]
    assert "$" not in json.dumps(schema)
    written = json.dumps(schema)
    assert "title" not in written
    assert '"null"' not in written


def test_annotations_are_unwrapped() -> None:
    assert unwrap(Annotated[int | None, Field(description="d")]) == (int, True)
    assert unwrap(Unit) == (float, False)
    assert unwrap(int | str) == (int | str, False)
    assert is_record(Answer)
    assert not is_record(str)


def test_every_operation_of_the_mind_is_declared_completely() -> None:
    mind = Mind(Settings(), embedder=FakeEmbedder())
    operations = list(mind.operations.values())
    assert {"think", "search", "walk_trail", "verify_chain", "remember"} <= set(mind.operations)
    for unique in ("tool", "command"):
        names = [getattr(op.declaration, unique) for op in operations]
        assert len(set(names)) == len(names)
    for op in operations:
        assert op.description.endswith(".")
        assert is_record(op.returns)
        assert inspect.iscoroutinefunction(op.method)
        # The help of the operations reads no memory, and a change of the model is one of all namespaces.
        assert op.name in ("detailed_help", "reembed") or "namespace" in {
            parameter.name for parameter in op.parameters
        }
        assert json.dumps(op.input_schema())


def described(annotation: Any, default: Any, where: str) -> Iterator[tuple[str, Description, Any]]:
    """The descriptions of a parameter and of every member of its records."""
    yield where, describe(annotation, default), default
    kind, _ = unwrap(annotation)
    if get_origin(kind) is list:
        kind, _ = unwrap(get_args(kind)[0])
    if is_record(kind):
        for name, hint, member_default in members(kind):
            yield from described(hint, member_default, f"{where}.{name}")


def every_parameter() -> Iterator[tuple[str, Description, Any]]:
    for op in Mind(Settings(), embedder=FakeEmbedder()).operations.values():
        for parameter in op.parameters:
            default = dataclasses.MISSING if parameter.required else parameter.default
            yield from described(parameter.annotation, default, f"{op.name}.{parameter.name}")


def test_every_parameter_has_a_short_and_a_long_description() -> None:
    lacking = [where for where, found, _ in every_parameter() if not found.short or not found.long]
    assert not lacking


def test_every_long_description_of_an_optional_parameter_has_its_default() -> None:
    lacking = [
        where
        for where, found, default in every_parameter()
        if default is not dataclasses.MISSING and "default" not in found.long.lower()
    ]
    assert not lacking


def numbers(schema: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The numeric schemas within a schema, by path."""
    for name, member in schema.get("properties", {}).items():
        if member.get("type") in ("number", "integer"):
            yield f"{where}.{name}", member
        yield from numbers(member.get("items", {}), f"{where}.{name}")


def test_every_number_has_its_range_in_the_schema_unless_none_comes_near_its_end() -> None:
    endless = {"max_tokens", "offset", "start", "after", "community", "known_step"}
    for op in Mind(Settings(), embedder=FakeEmbedder()).operations.values():
        for where, number in numbers(op.input_schema(), op.name):
            assert "minimum" in number, where
            assert "maximum" in number or where.rpartition(".")[2] in endless, where


def test_a_long_description_names_range_and_default_once() -> None:
    found = {where: description.long for where, description, _ in every_parameter()}
    assert found["search.limit"] == "Number of hits on a page. Range: 1 to 100. Default: 5."
    assert found["curate.min_age"].endswith(" judged. Range: 0 to 36,500. Default: 30.")
    assert found["think.is_private"].count("Default") == 1


def test_creating_a_mind_does_not_connect() -> None:
    settings = Settings(neo4j_uri="bolt://127.0.0.1:1", neo4j_password="x")
    assert Mind(settings, embedder=FakeEmbedder()).operations
