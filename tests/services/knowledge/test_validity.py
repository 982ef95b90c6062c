"""The times of facts and relations: what superseding and storing again do to them."""

import random
from datetime import datetime
from typing import Any, Literal

import pytest

from legacymind.errors import InvalidInput, LegacyMindError
from legacymind.mind import Mind
from legacymind.model.base import RememberResult
from tests.steps import remember
from tests.wire import raw

pytestmark = pytest.mark.anyio

Kind = Literal["observations", "relations"]
KINDS: tuple[Kind, ...] = ("observations", "relations")


def item(kind: Kind, place: str, **more: Any) -> dict[str, Any]:
    """Where Ada lives, as a fact or as a relation."""
    if kind == "observations":
        return {"entity": "Ada", "content": f"Ada lives in {place}.", **more}
    return {"source_entity": "Ada", "type": "LIVES_IN", "target_entity": place, **more}


async def state(mind: Mind, kind: Kind, place: str, **more: Any) -> RememberResult:
    return await remember(mind, **{kind: [item(kind, place, **more)]})


def day(year: int) -> str:
    return f"{year}-01-01T00:00:00Z"


Years = tuple[str, int, int]
"""A place, and the years from when and until when."""


async def dated(mind: Mind) -> dict[str, Years]:
    """Each fact and relation, by id."""
    rows = await raw(
        mind,
        "MATCH (:Entity {namespace: $ns, name: 'Ada'})<-[:ABOUT]-(o) "
        "RETURN o.id AS id, split(o.content, ' ')[3] AS place, o.valid_from AS since, o.valid_to AS until "
        "UNION ALL MATCH (:Entity {namespace: $ns, name: 'Ada'})-[r:LIVES_IN]->(e) "
        "RETURN r.id AS id, e.name + '.' AS place, r.valid_from AS since, r.valid_to AS until",
        ns=mind.settings.namespace,
    )
    return {row["id"]: (row["place"].removesuffix("."), row["since"].year, row["until"].year) for row in rows}


async def years(mind: Mind) -> dict[str, tuple[int, int]]:
    """The years of each fact and relation, by place; the second of a place is "again"."""
    found: dict[str, tuple[int, int]] = {}
    for place, *span in sorted((await dated(mind)).values()):
        found[f"{place} again" if place in found else place] = (span[0], span[1])
    return found


# Each call: the place, its years, and the place that it supersedes; then the years of all, or None: refused.
Call = tuple[str, dict[str, Any], str | None]
CASES: dict[str, tuple[list[Call], dict[str, tuple[int, int]] | None]] = {
    "in order": (
        [("Rome", {"valid_from": day(2020)}, None), ("Oslo", {"valid_from": day(2022)}, "Rome")],
        {"Rome": (2020, 2022), "Oslo": (2022, 9999)},
    ),
    "begins before the superseded one": (
        [("Rome", {"valid_from": day(2020)}, None), ("Oslo", {"valid_from": day(2019)}, "Rome")],
        None,
    ),
    "begins with the superseded one": (
        [("Rome", {"valid_from": day(2020)}, None), ("Oslo", {"valid_from": day(2020)}, "Rome")],
        None,
    ),
    "since when is learned later": (
        [
            ("Rome", {"valid_from": day(2020)}, None),
            ("Oslo", {}, "Rome"),
            ("Oslo", {"valid_from": day(2022)}, None),
        ],
        {"Rome": (2020, 2022), "Oslo": (2022, 9999)},
    ),
    "since when is learned later, with the superseded one": (
        [
            ("Rome", {"valid_from": day(2020)}, None),
            ("Oslo", {}, "Rome"),
            ("Oslo", {"valid_from": day(2022)}, "Rome"),
        ],
        {"Rome": (2020, 2022), "Oslo": (2022, 9999)},
    ),
    "dated back before the superseded one": (
        [
            ("Rome", {"valid_from": day(2020)}, None),
            ("Oslo", {}, "Rome"),
            ("Oslo", {"valid_from": day(2018)}, None),
        ],
        None,
    ),
    "a later start is no news": (
        [("Rome", {"valid_from": day(2020)}, None), ("Rome", {"valid_from": day(2022)}, None)],
        {"Rome": (2020, 9999)},
    ),
    "an earlier start": (
        [("Rome", {"valid_from": day(2020)}, None), ("Rome", {"valid_from": day(2015)}, None)],
        {"Rome": (2015, 9999)},
    ),
    "no date is no news": (
        [("Rome", {"valid_from": day(2020)}, None), ("Rome", {}, None)],
        {"Rome": (2020, 9999)},
    ),
    "again, after another": (
        [
            ("Rome", {"valid_from": day(2015)}, None),
            ("Oslo", {"valid_from": day(2018)}, "Rome"),
            ("Rome", {"valid_from": day(2022)}, "Oslo"),
        ],
        {"Rome": (2015, 2018), "Rome again": (2022, 9999), "Oslo": (2018, 2022)},
    ),
    "since when the second time, and until when the first": (
        [
            ("Rome", {"valid_from": day(2015), "valid_to": day(2018)}, None),
            ("Rome", {"valid_from": day(2022)}, None),
            ("Rome", {"valid_from": day(2020)}, None),
            ("Rome", {"valid_from": day(2013), "valid_to": day(2018)}, None),
        ],
        {"Rome": (2013, 2018), "Rome again": (2020, 9999)},
    ),
    "an earlier time before a gap": (
        [
            ("Rome", {"valid_from": day(2020)}, None),
            ("Rome", {"valid_from": day(2010), "valid_to": day(2012)}, None),
            ("Rome", {"valid_from": day(2011), "valid_to": day(2012)}, None),
        ],
        {"Rome": (2010, 2012), "Rome again": (2020, 9999)},
    ),
    "an ended one began earlier": (
        [
            ("Rome", {"valid_from": day(2015), "valid_to": day(2018)}, None),
            ("Rome", {"valid_from": day(2013)}, None),
        ],
        {"Rome": (2013, 2018)},
    ),
    "an end that is learned later": (
        [
            ("Rome", {"valid_from": day(2015)}, None),
            ("Rome", {"valid_from": day(2015), "valid_to": day(2018)}, None),
        ],
        {"Rome": (2015, 2018)},
    ),
    "a gap to the superseded one stays": (
        [
            ("Rome", {"valid_from": day(2020), "valid_to": day(2021)}, None),
            ("Oslo", {"valid_from": day(2023)}, "Rome"),
            ("Oslo", {"valid_from": day(2022)}, None),
        ],
        {"Rome": (2020, 2021), "Oslo": (2022, 9999)},
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
async def test_one_rule_for_the_times_of_facts_and_relations(mind: Mind, case: str, kind: Kind) -> None:
    calls, expected = CASES[case]
    ids: dict[str, str] = {}
    for number, (place, times, old) in enumerate(calls):
        before = await dated(mind)
        more = times if old is None else {**times, "supersedes": ids[old]}
        if expected is None and number == len(calls) - 1:
            with pytest.raises(InvalidInput) as caught:
                await state(mind, kind, place, **more)
            assert "Rome" in caught.value.what
            assert await dated(mind) == before
            return
        result = await state(mind, kind, place, **more)
        (one,) = getattr(result, kind)
        ids[place] = one.id
        stored = await dated(mind)
        # Everything that was stored before and has another time now is in the answer.
        changed = {
            change.id: (change.valid_from and change.valid_from.year, (change.valid_to or datetime.max).year)
            for change in result.changed
        }
        assert changed == {id: stored[id][1:] for id in before if stored[id] != before[id]}
        assert all(since < until for _, since, until in stored.values())
    assert await years(mind) == expected


async def test_a_given_end_counts_unless_another_fact_ended_it(mind: Mind) -> None:
    (rome,) = (await state(mind, "observations", "Rome", valid_from=day(2020))).observations
    result = await state(mind, "observations", "Rome", valid_from=day(2020), valid_to=day(2024))
    assert [(one.id, one.label) for one in result.changed] == [(rome.id, "Ada lives in Rome.")]
    assert await years(mind) == {"Rome": (2020, 2024)}
    await state(mind, "observations", "Oslo", valid_from=day(2022), supersedes=rome.id)
    result = await state(mind, "observations", "Rome", valid_from=day(2020), valid_to=day(2024))
    assert result.changed == []
    assert await years(mind) == {"Rome": (2020, 2022), "Oslo": (2022, 9999)}


async def test_a_start_replaces_that_of_an_import_without_one(mind: Mind) -> None:
    lines = ['{"kind": "header", "format": "legacymind", "version": 1}']
    lines += ['{"kind": "observation", "entity": "Ada", "content": "Ada lives in Rome."}']
    lines += ['{"kind": "relation", "from": "Ada", "type": "LIVES_IN", "to": "Oslo"}']
    await mind.import_lines(lines)
    await state(mind, "observations", "Rome", valid_from=day(2020))
    await state(mind, "relations", "Oslo", valid_from=day(2021))
    dated = {"Rome": (2020, 9999), "Oslo": (2021, 9999)}
    assert await years(mind) == dated
    await mind.import_lines(lines)
    assert await years(mind) == dated


@pytest.mark.parametrize("ended", [False, True])
async def test_a_fact_of_another_entity_is_not_superseded(mind: Mind, ended: bool) -> None:
    until = {"valid_to": day(2021)} if ended else {}
    eve = {"entity": "Eve", "content": "Eve lives in Rome.", "valid_from": day(2020), **until}
    (old,) = (await remember(mind, observations=[eve])).observations
    with pytest.raises(InvalidInput, match="another entity, 'Eve'"):
        await state(mind, "observations", "Oslo", supersedes=old.id)
    assert await years(mind) == {}


BATCHES: list[tuple[list[tuple[int | None, int | None]], list[tuple[int | None, int | None]]]] = [
    ([(2023, None)], [(2021, 2023)]),
    ([(2023, None)], [(2019, None), (2020, None)]),
    ([(2019, None)], [(2019, 2020), (2021, None)]),
    ([(2022, None)], [(2023, None), (2021, 2022)]),
    ([], [(2020, 2023), (2019, None)]),
    ([], [(2021, None), (2023, 2024)]),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("stored", "batch"), BATCHES)
async def test_one_call_with_an_item_twice_does_what_two_calls_do(
    mind: Mind,
    kind: Kind,
    stored: list[tuple[int | None, int | None]],
    batch: list[tuple[int | None, int | None]],
) -> None:
    """And times that only touch are those of two facts."""

    def told(place: str, spans: list[tuple[int | None, int | None]]) -> list[dict[str, Any]]:
        return [
            item(kind, place)
            | ({"valid_from": day(since)} if since else {})
            | ({"valid_to": day(until)} if until else {})
            for since, until in spans
        ]

    for place in ("Rome", "Oslo"):
        if stored:
            await remember(mind, **{kind: told(place, stored)})
    result = await remember(mind, **{kind: told("Rome", batch)})
    for one in told("Oslo", batch):
        await remember(mind, **{kind: [one]})
    spans = [*(await dated(mind)).values()]
    rome, oslo = (sorted(span[1:] for span in spans if span[0] == place) for place in ("Rome", "Oslo"))
    assert rome == oslo
    if batch == [(2021, 2023)]:
        assert rome == [(2021, 2023), (2023, 9999)]
    if not stored:
        assert result.changed == []


async def intervals(mind: Mind) -> dict[str, tuple[str, Any, Any]]:
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
        items.append(item(kind, choose.choice(("Rome", "Oslo", "Lyon")), **more))
    return items


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
async def test_no_interval_is_empty_and_the_answer_names_what_changed(
    mind: Mind, kind: Kind, seed: int
) -> None:
    choose = random.Random(seed)
    before = await intervals(mind)
    for _ in range(25):
        items = step(choose, kind, [*before])
        try:
            result = await remember(mind, **{kind: items})
        except LegacyMindError:
            assert await intervals(mind) == before
            continue
        after, told = await intervals(mind), {one.id for one in result.changed}
        assert {one for one in before if after[one] != before[one]} <= told, items
        assert all(since < until for _, since, until in after.values()), items
        before = after
