"""The help is made from the declarations: every operation, parameter and filter is in it."""

import pytest

from legacymind.doors.mcp.server import read_catalogue
from legacymind.errors import NotFound
from legacymind.mind import Mind
from legacymind.model.filters import Filters
from legacymind.operations.registry import Operation
from legacymind.services.maintain.guide import explained
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio


def operations() -> list[Operation]:
    return list(Mind(Settings(), embedder=FakeEmbedder()).operations.values())


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.name)
def test_every_parameter_is_described_and_every_example_is_accepted(operation: Operation) -> None:
    told = explained(operation)
    listed = {one.name: one for one in (*told.parameters, *told.filters)}
    assert listed.keys() == {one.name for one in operation.parameters}
    assert all(one.text and one.type for one in listed.values())
    assert {one.name for one in listed.values() if one.required} == {
        one.name for one in operation.parameters if one.required
    }
    assert told.examples
    for example in told.examples:
        assert operation.arguments.validate(example.arguments), example


def test_every_filter_of_a_search_has_an_example() -> None:
    told = explained({one.name: one for one in operations()}["search"])
    assert {one.name for one in told.filters} == Filters.__annotations__.keys()
    shown = {name for example in told.examples for name in example.arguments}
    assert Filters.__annotations__.keys() <= shown
    limit = {one.name: one for one in told.parameters}["limit"]
    assert (limit.type, limit.required) == ("whole number from 1 to 100", False)
    assert "Default: 5." in limit.text


async def test_a_tool_is_found_by_each_of_its_names_and_all_are_listed() -> None:
    mind = Mind(Settings(), embedder=FakeEmbedder())
    for name in ("legacymind_search", "search", "Legacymind Search"):
        found = (await mind.detailed_help(name)).detail
        assert found is not None
        assert (found.tool, found.command, found.python) == (
            "legacymind_search",
            "legacymind search",
            "Mind.search",
        )
    for operation in mind.operations.values():
        found = await mind.detailed_help(operation.declaration.tool)
        assert (found.left_out, found.detail) == (0, explained(operation))
    every = await mind.detailed_help()
    assert every.left_out == 0
    listed = [one.tool for one in every.tools]
    assert listed == [tool.name for tool in read_catalogue("full")]
    short = await mind.detailed_help(max_tokens=600)
    assert short.left_out > 0
    with pytest.raises(NotFound):
        await mind.detailed_help("nosuch")
