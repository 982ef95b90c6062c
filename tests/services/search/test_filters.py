"""Every filter applies to every way of searching, and one line declares a filter of any type."""

import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import anyio
import pytest

from legacymind.db.filters import FILTERS, Filter, predicate
from legacymind.mind import Mind
from legacymind.model.filters import Filters, TextForm
from legacymind.services.search.filters import conditions
from legacymind.settings import Settings
from tests.steps import own_namespace, store_thought
from tests.wire import raw, text_indexed

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
QUERY = "a filtered kettle"
WAYS: dict[str, dict[str, Any]] = {
    "graph": {"query": QUERY, "method": "graph"},
    "vector": {"query": QUERY, "method": "vector"},
    "text": {"query": QUERY, "method": "text"},
    "list": {},
}
LOW_DAY, HIGH_DAY = datetime(2020, 1, 1, 12, tzinfo=UTC), datetime(2021, 1, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Stored:
    """The ids of a thought that passes all filters sent together, and of one that fails each of them."""

    passes: str
    fails: dict[str, str]


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings) as opened:
        yield opened


async def store_each(mind: Mind, passes: dict[str, Any], fails: dict[str, tuple[str, Any]]) -> Stored:
    """A thought with the properties ``passes``, and for each name one that differs in a single property."""
    wanted: dict[str, dict[str, Any]] = {"": passes}
    wanted |= {name: {**passes, property_name: value} for name, (property_name, value) in fails.items()}
    ids = {name: await store_thought(mind, QUERY) for name in wanted}
    for name, id in ids.items():
        await raw(mind, "MATCH (t:Thought {id: $id}) SET t += $properties", id=id, properties=wanted[name])
    return Stored(ids.pop(""), ids)


def samples(one: Filter) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """A low and a high value of a filter's property, each with the argument that stands for it."""
    if one.form in (TextForm.DAY_START, TextForm.DAY_END):
        return (LOW_DAY, "2020-01-01"), (HIGH_DAY, "2021-01-01")
    if one.is_list:
        return (["a", "c"], "a"), (["c", "b"], "b, c")
    if get_origin(one.type) is Literal:
        low, *_, high = get_args(one.type)
        return (low, low), (high, high)
    return ((0.25, 0.25), (0.75, "0.75")) if one.type is float else (("a", "a"), ("b", "b"))


# Planning a statement with a new set of filters takes a second. So most are sent together, and for each of
# them one thought passes all the others. Those that change more than a comparison are sent alone.
ALONE = ("session_id", "chain_id", "tags")
TOGETHER = {
    **{name: [name] for name in ALONE},
    "least": [name for name, one in FILTERS.items() if name not in ALONE and one.operator != "<="],
    "most": [name for name, one in FILTERS.items() if one.operator == "<="],
}


def test_every_filter_is_sent_once() -> None:
    assert sorted(name for names in TOGETHER.values() for name in names) == sorted(FILTERS)


@pytest.mark.parametrize("names", TOGETHER.values(), ids=TOGETHER)
async def test_every_way_of_searching_applies_each_filter(mind: Mind, names: list[str]) -> None:
    passes: dict[str, Any] = {}
    fails: dict[str, tuple[str, Any]] = {}
    sent: dict[str, Any] = {}
    for name in names:
        one = FILTERS[name]
        low, high = samples(one)
        passing, failing = (low, high) if one.operator == "<=" else (high, low)
        assert one.property_name not in passes  # a thought would fail two filters at once
        passes[one.property_name], sent[name] = passing
        fails[name] = (one.property_name, failing[0])
    stored = await store_each(mind, passes, fails)
    await text_indexed(mind)
    for way, arguments in WAYS.items():
        result = await mind.operations["search"].call(
            {**arguments, **sent, "limit": 100, "max_tokens": 100_000}
        )
        hits = {hit.id for hit in result.hits}
        assert stored.passes in hits, way
        assert [name for name, id in stored.fails.items() if id in hits] == [], way


def test_every_field_but_as_of_and_about_is_a_comparison() -> None:
    assert get_type_hints(Filters).keys() - {"as_of", "about"} == FILTERS.keys()
    for name, one in FILTERS.items():
        sent: Any = {name: samples(one)[0][0] if one.is_list else samples(one)[0][1]}
        assert conditions(sent).keys() == {name}


def test_as_of_limits_date_to() -> None:
    assert conditions({"as_of": LOW_DAY}) == {"date_to": LOW_DAY}
    assert conditions({"as_of": LOW_DAY, "date_to": "2021-01-01"}) == {"date_to": LOW_DAY}
    assert conditions({"as_of": HIGH_DAY, "date_to": "2020-01-01"})["date_to"] < HIGH_DAY  # type: ignore[operator]


def test_no_two_filters_make_the_same_comparison() -> None:
    made = [(one.property_name, one.operator) for one in FILTERS.values()]
    assert len(made) == len(set(made))


def test_lists_become_data() -> None:
    data = predicate(
        {"author": "Ada", "confidence_gte": 0.0, "date_to": datetime(2026, 1, 1, tzinfo=UTC), "tags": ["a"]}
    )
    assert data == {"lists": {"tags": ["a"]}, "about": [], "redactions": False}


# --- a filter in one line -------------------------------------------------------------------------


@dataclass(frozen=True)
class Added:
    """A filter in one line, two values of its property, the argument for the second, and an invalid one."""

    line: str
    property_name: str
    low: Any
    high: Any
    argument: Any
    invalid: Any
    error: str
    schema: dict[str, Any]

    @property
    def name(self) -> str:
        return self.line.partition(":")[0]


ADDED = [
    Added(
        'by: Annotated[str | None, Where("=", "author"), about("Writer", "Only thoughts of this writer")]',
        *("author", "Ada", "Grace", "Grace", "x" * 600, "by is 600 bytes"),
        {"type": "string", "description": "Writer"},
    ),
    Added(
        'in_mode: Annotated[ModeName | None, Where("=", "mode"), about("Any case", "Only this mode")]',
        *("mode", "build", "stuck", " STUCK ", "a\0", "in_mode contains a control character"),
        {"type": "string", "description": "Any case"},
    ),
    Added(
        'sure: Annotated[Unit | None, Where(">=", "confidence"), about("0 or 1", "Only thoughts this sure")]',
        *("confidence", 0.5, 1.0, 7, "much", "sure must be"),
        {"type": "number", "minimum": 0, "maximum": 1, "description": "0 or 1"},
    ),
    Added(
        'hot: Annotated[bool | None, Where(), about("Hot", "Only thoughts that are hot, or not")]',
        *("hot", True, False, False, "perhaps", "hot must be"),
        {"type": "boolean", "description": "Hot"},
    ),
    Added(
        'labels: Annotated[Tags | None, Where("=", "tags"), about("All", "Only thoughts with these labels")]',
        *(
            "tags",
            ["plan"],
            ["plan", "debug"],
            "debug, plan",
            ["a\0b"],
            "labels contains a control character",
        ),
        {"type": "array", "items": {"type": "string"}, "description": "All"},
    ),
    Added(
        'day: Annotated[DayStart | None, Where(">=", "created_at"), about("Day", "Only from this day on")]',
        *("created_at", LOW_DAY, HIGH_DAY, "2021-01-01", "tomorrow", "day must be a time"),
        {"type": "string", "description": "Day"},
    ),
    Added(
        'then: Annotated[datetime | None, Where(">=", "created_at"), about("Time", "Only from then on")]',
        *("created_at", LOW_DAY, HIGH_DAY, "2020-12-31T23:00:00-02:00", "tomorrow", "then must be"),
        {"type": "string", "description": "Time"},
    ),
    Added(
        'made_by: Annotated[Literal["human", "tool"] | None, Where("=", "origin"), about("Maker", "Of it")]',
        *("origin", "human", "tool", "TOOL", "nobody", "made_by must be"),
        {"type": "string", "enum": ["human", "tool"], "description": "Maker"},
    ),
]

GROUPS = [ADDED[::2], ADDED[1::2]]
"""Sent together, as above; the two filters of a time are apart, since a thought would fail both."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package that differs in one line for each added filter."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "legacymind", folder / "legacymind", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("cypher", "graphql", "seed"):
        (folder / name).symlink_to(ROOT / name)
    declaration = folder / "legacymind" / "model" / "filters.py"
    text = declaration.read_text(encoding="utf-8")
    end = text.index("    # Also limits knowledge")
    lines = "".join(f"    {one.line}\n" for one in ADDED)
    declaration.write_text(text[:end] + lines + text[end:], encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
async def added(mind: Mind, package: Path) -> tuple[list[Stored], dict[str, Any]]:
    """The thoughts for each group of added filters, and what the changed package answers."""
    stored = [
        await store_each(
            mind,
            {one.property_name: one.high for one in group},
            {one.name: (one.property_name, one.low) for one in group},
        )
        for group in GROUPS
    ]
    await text_indexed(mind)
    page = {"limit": 100, "max_tokens": 100_000}
    sent = [{one.name: one.argument for one in group} for group in GROUPS]
    searches = [{**way, **filters, **page} for filters, way in product(sent, WAYS.values())]
    searches += [{one.name: one.invalid} for one in ADDED]
    ran = await anyio.run_process(
        [sys.executable, "-m", "tests.services.search.added_filters"],
        input=json.dumps({"settings": mind.settings.model_dump(mode="json"), "searches": searches}).encode(),
        env=os.environ | {"PYTHONPATH": f"{package}{os.pathsep}{ROOT}"},
        cwd=package,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    answer = json.loads(ran.stdout)
    assert Path(answer["package"]).is_relative_to(package)
    return stored, answer


@pytest.mark.parametrize("one", ADDED, ids=lambda one: one.name)
async def test_one_line_adds_a_filter_of_any_type(
    added: tuple[list[Stored], dict[str, Any]], one: Added
) -> None:
    stored, answer = added
    group = next(number for number, group in enumerate(GROUPS) if one in group)
    first = group * len(WAYS)
    for way, hits in zip(WAYS, answer["answers"][first : first + len(WAYS)], strict=True):
        assert stored[group].passes in hits, way
        assert stored[group].fails[one.name] not in hits, way
    assert one.error in answer["answers"][len(GROUPS) * len(WAYS) + ADDED.index(one)]
    assert answer["mcp"][one.name] == one.schema
    assert one.line.split('"')[-2] in answer["graphql"]
    assert f"--{one.name.replace('_', '-')}" in answer["help"]
