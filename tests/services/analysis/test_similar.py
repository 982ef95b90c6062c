"""Similar thoughts on a real server: links that an analysis owns, a cap for each thought."""

from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.services.analysis.similar import capped
from tests.steps import store_thought
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


def test_capped_keeps_the_most_similar_pairs_and_each_once() -> None:
    pairs = [("b", "a", 0.9), ("c", "a", 0.8), ("d", "a", 0.7), ("b", "a", 0.9), ("d", "c", 0.6)]
    assert capped(pairs, 2) == [pairs[0], pairs[1], pairs[4]]
