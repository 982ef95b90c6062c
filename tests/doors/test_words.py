"""Messages never show names of Python types or pydantic's words."""

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from legacymind.doors.graphql.schema import build_schema
from legacymind.errors import ConfigurationError, InvalidInput
from legacymind.mind import Mind
from legacymind.services.knowledge.importers import native
from legacymind.services.knowledge.importers.records import Fault, SourceFile, checked
from legacymind.settings import Settings, load_settings
from tests.agents import build_server
from tests.doors.cli.commands import here
from tests.fakes import FakeEmbedder

FOREIGN = re.compile(
    r"Input should|Value error|pydantic|NoneType|dataclass|dictionary|instance of|datetime\.|<class|Traceback"
    r"|Errno|codec|\b(?:int|str|float|bool|dict|bytes|tuple|TypedDict|Literal|Optional)\b"
)
BAD: list[Any] = [
    5,
    1.5,
    True,
    "x",
    b"\xff",
    {"a": 1},
    [1],
    [{}],
    [[1]],
    [{"content": 5}],
    [{"name": 5, "unknown": 1}],
    float("nan"),
    float("inf"),
    10**400,
    "2026-13-01",
    "\ud800",
    {1, 2},
    object(),
]


def mind() -> Mind:
    return Mind(Settings(), embedder=FakeEmbedder())


def test_no_operation_words_a_fault_in_foreign_terms() -> None:
    messages: list[tuple[str, str, str]] = []
    for operation in mind().operations.values():
        for parameter in operation.parameters:
            for bad in BAD:
                with contextlib.suppress(InvalidInput):
                    operation.arguments.validate({parameter.name: bad})
                    continue
                with pytest.raises(InvalidInput) as raised:
                    operation.arguments.validate({parameter.name: bad})
                messages.append((operation.name, parameter.name, str(raised.value)))
    assert [each for each in messages if FOREIGN.search(each[2])] == []
    assert len(messages) > 3_000


@pytest.mark.anyio
async def test_no_tool_words_a_fault_in_foreign_terms() -> None:
    async with Client(build_server(mind(), "full")) as agent:
        for arguments in (
            {"limit": "many"},
            {"kinds": [5]},
            {"explain": "perhaps"},
            {"as_of": "then"},
            {"x": 1},
        ):
            answer = await agent.call_tool("legacymind_search", arguments)
            assert answer.structured_content is not None
            message = answer.structured_content["error"]["message"]
            assert answer.is_error
            assert not FOREIGN.search(message), message


@pytest.mark.anyio
async def test_graphql_words_no_fault_of_an_operation_in_foreign_terms() -> None:
    schema = build_schema(mind())
    for query in (
        '{ search(input: {asOf: "9999-12-31T23:59:59-01:00"}) { method } }',
        '{ search(input: {dateFrom: "then"}) { method } }',
        '{ search(input: {tags: ["a", " "]}) { method } }',
        '{ search(input: {after: "x"}) { method } }',
        'mutation { think(input: {content: " "}) { reason } }',
        'mutation { recordOutcome(input: {thoughtId: "x", outcome: "good"}) { repeated } }',
        "mutation { thinkBatch(thoughts: []) { count } }",
    ):
        result = await schema.execute(query)
        (error,) = result.errors or []
        assert error.extensions == {"code": "invalid_input"}, error
        assert not FOREIGN.search(error.message), error.message


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "--limit", "many"),
        ("search", "x", "--limit", "none"),
        ("search", "--kinds", "dream"),
        ("search", "--as-of", "then"),
        ("search", "--after", "x"),
        ("think", ""),
        ("think", "x", "--tags", "a,,", "--tags", '["a", " "]'),
        ("think", "x", "--created-at", "then"),
        ("think-batch", '[{"content": 5}]'),
        ("think-batch", "[5]"),
        ("think-batch", "{"),
        ("remember", "--entities", '[{"nom": "x"}]'),
        ("trail", ""),
        ("thread",),
        ("outcome", "x", "good"),
        ("verify", "x", "--known-step", "1.5", "--known-hash", "x"),
    ],
)
def test_the_command_line_shows_no_foreign_terms(arguments: tuple[str, ...]) -> None:
    done = here({"LEGACYMIND_ADOPT_INTERVAL": "0"}, *arguments)
    assert done.returncode
    assert not FOREIGN.search(done.stderr), done.stderr


@pytest.mark.parametrize(
    "line",
    ["5", "[]", "{}", '{"kind": "dream"}', '{"kind": "entity"}', '{"kind": "entity", "name": 5}'],
)
def test_an_import_words_no_fault_in_foreign_terms(line: str) -> None:
    header = '{"kind": "header", "format": "legacymind", "version": 1}'
    ((_, fault),) = native.read([SourceFile("import", [header, line])])
    if isinstance(fault, dict):
        with pytest.raises(Fault) as caught:
            checked(fault)
        fault = caught.value
    assert isinstance(fault, Fault)
    assert not FOREIGN.search(str(fault)), str(fault)


@pytest.mark.parametrize(
    "text",
    [
        "[system]\nhome = 2026-01-01\n",
        "[runtime]\nquery_timeout = [1]\n",
        "[runtime]\nthink_enhance = {a = 1}\n",
        "[retrieval]\nt1 = 2026-01-01T00:00:00Z\n",
        "[retrieval]\nt1 = nan\n",
        "x = 5\n",
        "[",
        "\xff",
    ],
)
def test_no_setting_words_a_fault_in_foreign_terms(text: str, tmp_path: Path) -> None:
    file = tmp_path / "legacymind.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigurationError) as raised:
        load_settings({}, toml=file)
    assert not FOREIGN.search(str(raised.value).replace(str(tmp_path), "")), str(raised.value)


def test_a_missing_configuration_file_is_named_in_plain_words(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read: No such file or directory") as raised:
        load_settings({}, toml=tmp_path / "none.toml")
    assert not FOREIGN.search(raised.value.what.replace(str(tmp_path), ""))
