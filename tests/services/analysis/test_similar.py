"""Similar thoughts on a real server: links that an analysis owns, a cap for each thought, near duplicates."""

from datetime import UTC, datetime
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.services.analysis.similar import DUPLICATE, capped, duplicates
from tests.steps import drop_thoughts, store_thought
from tests.wire import raw

pytestmark = pytest.mark.anyio

WORDS = "amber basket candle dragon engine falcon garden harbour"


async def links(mind: Mind) -> dict[tuple[str, str], dict[str, Any]]:
    """The ASSOCIATES relationships of the namespace, by the texts of their ends."""
    rows = await raw(
        mind,
        "MATCH (a {namespace: $ns})-[r:ASSOCIATES]->(b) "
        "RETURN a.content AS newer, b.content AS older, r.made_by AS made_by, r.weight AS weight, "
        "r.note AS note",
        ns=mind.settings.namespace,
    )
    return {(row["newer"], row["older"]): row for row in rows}


async def store(mind: Mind, *texts: str, **options: Any) -> list[str]:
    return [await store_thought(mind, text, session_id=f"session {text}", **options) for text in texts]


async def test_similar_thoughts_are_linked_from_the_newer_and_again_replaces_only_its_own_links(
    mind: Mind,
) -> None:
    first, second, third = await store(mind, WORDS, f"{WORDS} island", f"{WORDS} jungle")
    await store(mind, f"{WORDS} kettle", is_private=True)
    await store(mind, "quite another matter")
    await mind.relate_thought(third, first, note="an agent's own", weight=0.3)
    result = await mind.analyze("neighbours")
    assert (result.thoughts, result.neighbours, result.dropped) == (4, 2, 0)
    assert result.communities is result.nodes is None
    found = await links(mind)
    # The pair that an agent linked is left alone.
    own = found.pop((f"{WORDS} jungle", WORDS))
    assert (own["made_by"], own["weight"], own["note"]) == (None, 0.3, "an agent's own")
    assert found.keys() == {(f"{WORDS} island", WORDS), (f"{WORDS} jungle", f"{WORDS} island")}
    assert {one["made_by"] for one in found.values()} == {"knn"}
    assert all(0.8 < one["weight"] < 1 for one in found.values())
    assert (await mind.analyze("neighbours")).neighbours == 2  # again the same
    # A link that an agent confirms becomes its own.
    confirmed = await mind.relate_thought(second, first, note="confirmed")
    assert confirmed.created
    result = await mind.analyze("neighbours", min_similarity=1.0)
    assert (result.thoughts, result.neighbours, result.dropped) == (4, 0, 1)
    assert {pair: one["note"] for pair, one in (await links(mind)).items()} == {
        (f"{WORDS} jungle", WORDS): "an agent's own",
        (f"{WORDS} island", WORDS): "confirmed",
    }


async def test_a_thought_has_at_most_as_many_neighbours_as_asked_for_in_both_directions(mind: Mind) -> None:
    await store(mind, WORDS, *(f"{WORDS} {word}" for word in "island jungle kettle lantern mirror".split()))
    result = await mind.analyze("neighbours", neighbours=2)
    ends = [end for pair in await links(mind) for end in pair]
    assert max(ends.count(end) for end in ends) == 2
    assert result.neighbours == len(ends) / 2 >= 4


async def test_near_duplicates_are_reported_in_groups_and_nothing_is_stored(mind: Mind) -> None:
    await store(mind, WORDS, "quite another matter")
    # The same words in another order have the same vector here.
    await store(mind, " ".join(reversed(WORDS.split())))
    await store_thought(mind, WORDS, session_id="again")
    result = await mind.analyze("duplicates")
    (group,) = result.duplicates
    assert (result.duplicate_groups, group.size, group.cosine) == (1, 3, 1.0)
    assert await links(mind) == {}
    # A higher threshold of neighbours hides no duplicate.
    everything = await mind.analyze(min_similarity=1.0, neighbours=1)
    assert everything.duplicates == result.duplicates
    for number in range(12):
        await store_thought(mind, WORDS, session_id=f"again {number}")
    (group,) = (await mind.analyze("duplicates")).duplicates
    assert (group.size, len(group.thoughts)) == (15, 10)
    assert [copy.text for copy in group.thoughts[:3]] == [WORDS, " ".join(reversed(WORDS.split())), WORDS]


async def test_thousands_of_near_duplicates_are_grouped(mind: Mind) -> None:
    rows = [
        {"number": number, "vector": [float(place == number % 100) for place in range(384)]}
        for number in range(2000)
    ]
    await raw(
        mind,
        "UNWIND $rows AS row CREATE (:Thought {id: $ns + row.number, namespace: $ns, content: 'a template', "
        "is_private: false, recorded_at: datetime() + duration({seconds: row.number}), "
        "embedding_a: row.vector})",
        ns=mind.settings.namespace,
        rows=rows,
    )
    result = await mind.analyze("duplicates")
    await drop_thoughts(mind)
    assert result.thoughts == 2000
    assert 100 <= (result.duplicate_groups or 0) < 120  # kNN misses some pairs


def test_capped_keeps_the_most_similar_pairs_and_each_once() -> None:
    pairs = [("b", "a", 0.9), ("c", "a", 0.8), ("d", "a", 0.7), ("b", "a", 0.9), ("d", "c", 0.6)]
    found = [{"newer": newer, "older": older, "cosine": cosine} for newer, older, cosine in pairs]
    kept = capped(found, 2)  # pyright: ignore[reportArgumentType]
    assert [(pair["newer"], pair["older"]) for pair in kept] == [("b", "a"), ("c", "a"), ("d", "c")]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ("ab.99 bc.96 de.97 ad.80", [("abc", 0.96), ("de", 0.97)]),
        (
            "ab.96 bc.96 cd.96 de.96",
            [("abc", 0.96), ("de", 0.96)],
        ),  # a chain joins no texts that are not alike
        ("ab1. bc1. cd1. ef1.", [("abcd", 1.0), ("ef", 1.0)]),  # equal ones stay together
        ("ab1. bc1. cd.97", [("abcd", 0.97)]),
        ("ab.94", []),
    ],
)
def test_duplicates_are_groups_around_a_thought(pairs: str, expected: list[tuple[str, float]]) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    found: list[dict[str, Any]] = [
        {"newer": one[1], "older": one[0], "cosine": float(one[2:])} for one in pairs.split()
    ]
    near = {end for pair in found for end in (pair["newer"], pair["older"]) if pair["cosine"] >= DUPLICATE}
    copies = [{"id": one, "created_at": now, "text": one} for one in sorted(near)]
    groups = duplicates({"pairs": found, "copies": copies})  # pyright: ignore[reportArgumentType]
    assert [("".join(copy.id for copy in group.thoughts), group.cosine) for group in groups] == expected
    assert [group.size for group in groups] == [len(ids) for ids, _ in expected]
