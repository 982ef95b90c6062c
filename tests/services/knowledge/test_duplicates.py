"""Likely duplicates among entities."""

from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.nodes import DuplicatesResult
from tests.steps import remember

pytestmark = pytest.mark.anyio

NAMES = ("Ada Lovelace", "A. Lovelace", "Lovelace, Ada", "PostgreSQL", "Postgres", "server 1", "server 2")


async def duplicates(mind: Mind, **options: Any) -> DuplicatesResult:
    return await mind.operations["duplicates"].call(options)


def named(found: DuplicatesResult) -> set[frozenset[str]]:
    pairs = [frozenset((pair.first.name, pair.second.name)) for pair in found.pairs]
    assert len(set(pairs)) == len(pairs)
    return set(pairs)


async def test_pairs_are_alike_by_name_and_by_vector_and_of_compatible_types(mind: Mind) -> None:
    people = {frozenset(("Lovelace, Ada", "Ada Lovelace")), frozenset(("A. Lovelace", "Ada Lovelace"))}
    await remember(mind, entities=[{"name": name, "entity_type": "thing"} for name in NAMES])
    await remember(mind, entities=[{"name": "ada lovelace", "entity_type": "ship"}, {"name": "POSTGRES"}])
    found = await duplicates(mind, min_score=0.6)
    assert people <= named(found)
    assert not any("server" in pair.first.name for pair in found.pairs)
    assert {tuple(sorted((one.first.entity_type, one.second.entity_type))) for one in found.pairs} == {
        ("thing", "thing"),
        ("", "thing"),
    }
    (same,) = [one for one in found.pairs if {one.first.name, one.second.name} == {"POSTGRES", "Postgres"}]
    assert (same.likeness, same.cosine) == (1.0, pytest.approx(0.7071, abs=1e-3))
    assert same.score == pytest.approx(0.4 * 0.7071 + 0.6, abs=1e-3)
    only = await duplicates(mind, entity_type="Ship", min_score=0.3)
    assert (only.compared, only.pairs) == (1, [])


async def test_pages_find_every_pair_once_whatever_their_size(mind: Mind) -> None:
    await remember(mind, entities=[{"name": f"{name} {n}"} for n in range(12) for name in ("kiln", "kilne")])
    whole = await duplicates(mind, min_score=0.7, max_tokens=100_000)
    assert len(named(whole)) >= 12
    assert (whole.compared, whole.next, whole.left_out) == (24, None, 0)
    for options in ({"limit": 5}, {"max_tokens": 400}):
        pages = [await duplicates(mind, min_score=0.7, **options)]
        while pages[-1].next is not None:
            pages.append(await duplicates(mind, min_score=0.7, after=pages[-1].next, **options))
        assert len(pages) > 3
        assert [pair for page in pages for pair in page.pairs] == whole.pairs


async def test_names_that_mix_scripts_are_reported(mind: Mind) -> None:
    honest = ["paypal", "Ёлка", "東京Tower", "β-carotene"]
    await remember(mind, entities=[{"name": name} for name in [*honest, "pаypal"]])
    found = await duplicates(mind)
    assert [entity.name for entity in found.mixed_scripts] == ["pаypal"]
