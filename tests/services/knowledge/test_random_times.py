"""Whatever is remembered, superseded and ended, no interval is empty, and every change is told."""

import random
from typing import Any

import pytest

from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from tests.services.knowledge.test_validity import KINDS, Kind, day, item
from tests.steps import remember
from tests.wire import raw

pytestmark = pytest.mark.anyio


async def stored(mind: Mind) -> dict[str, tuple[str, Any, Any]]:
    """What is true of Ada, and from when until when, by id."""
    rows = await raw(
        mind,
        "MATCH (o:Observation {namespace: $ns}) "
        "RETURN o.id AS id, o.content AS what, o.valid_from AS since, o.valid_to AS until "
        "UNION ALL MATCH (:Entity {namespace: $ns})-[r:LIVES_IN]->(e) "
        "RETURN r.id AS id, e.name AS what, r.valid_from AS since, r.valid_to AS until",
        ns=mind.settings.namespace,
    )
    return {row["id"]: (row["what"], row["since"], row["until"]) for row in rows}


def step(choose: random.Random, kind: Kind, known: list[str]) -> list[dict[str, Any]]:
    """One to three items of a call, each with or without times and something that it supersedes."""
    items: list[dict[str, Any]] = []
    for _ in range(choose.choice((1, 1, 2, 3))):
        more: dict[str, Any] = {}
        if choose.random() < 0.7:
            more["valid_from"] = day(choose.randint(2000, 2024))
        if choose.random() < 0.3:
            more["valid_to"] = day(choose.randint(2000, 2030))
        if known and choose.random() < 0.4:
            more["supersedes"] = choose.choice(known)
        elif kind == "observations" and choose.random() < 0.2:
            more["supersedes"] = "auto"
        items.append(item(kind, choose.choice(("Rome", "Oslo", "Lyon")), **more))
    return items


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
async def test_no_interval_is_empty_and_the_answer_names_what_changed(
    mind: Mind, kind: Kind, seed: int
) -> None:
    choose = random.Random(seed)
    before = await stored(mind)
    for _ in range(25):
        items = step(choose, kind, [*before])
        try:
            result = await remember(mind, **{kind: items})
        except LegacyMindError:
            assert await stored(mind) == before
            continue
        after, told = await stored(mind), {one.id for one in result.changed}
        assert {one for one in before if after[one] != before[one]} <= told, items
        assert all(since < until for _, since, until in after.values()), items
        before = after
