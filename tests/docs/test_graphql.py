"""docs/interfaces/graphql.md: its example runs as it says, and its table is complete."""

import re
from pathlib import Path

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, get_named_type, parse, validate

from legacymind.doors.graphql.cost import MAX_ITEMS
from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from legacymind.services.nodes.pages import MAX_PAGE
from legacymind.settings import Settings
from tests.wire import noted_statements

TEXT = (Path(__file__).parents[2] / "docs" / "interfaces/graphql.md").read_text(encoding="utf-8")
EXAMPLE, *OTHERS = re.findall(r"```graphql\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.anyio
async def test_the_example_runs_at_most_five_statements_besides_the_verification(mind: Mind) -> None:
    for number in range(3):
        await mind.operations["think"].call({"content": f"the kettle {number}", "session_id": "kitchen"})
    with noted_statements() as names:
        result = await build_schema(mind).execute(EXAMPLE, {"id": "kitchen"})
    assert result.errors is None
    assert result.data is not None
    session = result.data["session"]
    assert (session["steps"], session["chain"]["verdict"]) == (3, "INTACT")
    assert len(session["thoughts"]["edges"]) == 3
    assert 3 <= len([name for name in names if name.startswith("nodes/")]) <= 5


def test_the_other_examples_are_valid() -> None:
    """tests/doors/graphql/test_subscriptions.py runs such a subscription."""
    schema = build_schema(Mind(Settings()))._schema  # pyright: ignore[reportPrivateUsage]
    assert OTHERS
    for document in OTHERS:
        assert validate(schema, parse(document)) == [], document


def test_the_table_has_every_field_that_leads_to_others() -> None:
    types = build_schema(Mind(Settings()))._schema.type_map  # pyright: ignore[reportPrivateUsage]
    rows = [
        (name, leads)
        for names, leads in re.findall(r"^\| (`[A-Z].*`) \| (.*) \|$", TEXT, re.MULTILINE)
        for name in re.findall(r"\w+", names)
    ]
    assert [name for name, _ in rows] == ["Thought", "Entity", "Observation", "Session", "Action", "Chain"]
    for name, leads in rows:
        fields = {
            field
            for field, one in getattr(types[name], "fields").items()  # noqa: B009
            if isinstance(get_named_type(one.type), GraphQLObjectType | GraphQLInterfaceType)
        }
        assert set(re.findall(r"`(\w+)`", leads)) == fields


def test_the_limits_are_those_of_the_code() -> None:
    assert f"{MAX_ITEMS:,} items" in TEXT
    assert f"0 to {MAX_PAGE}" in TEXT
