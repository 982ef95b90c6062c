"""check_links.cypher on a server, as a person runs it in Neo4j Browser."""

from collections.abc import AsyncIterator
from typing import LiteralString

import pytest

from legacymind.mind import Mind
from legacymind.services.chain.reads import CHECK_LINKS
from legacymind.settings import Settings
from tests.services.chain.chains import FIVE, Chain, H, T, make, think
from tests.steps import own_namespace

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings) as opened:
        yield opened


async def faults(chain: Chain) -> list[tuple[int, str]]:
    """Its rows: step and fault."""
    rows = await chain.mind.graph.run(
        CHECK_LINKS, {"namespace": chain.mind.settings.namespace, "session_id": chain.session}
    )
    return [(step, fault) for step, _, fault in rows]


async def test_an_intact_chain_has_no_row(chain: Chain) -> None:
    assert await faults(chain) == []
    await think(chain.mind, chain.session, "waits for its target", revises_thought="not-yet-either")
    assert await faults(chain) == []


LOST = "was removed or points elsewhere"
HEAD = "the head is at another step or hash: the end was cut off, or the head was changed"

# Each change of a chain, and the rows that report it.
DAMAGES: dict[str, tuple[LiteralString, list[tuple[int, str]]]] = {
    "gap": (
        FIVE + "DETACH DELETE c",
        [
            (3, "steps are missing before this one"),
            (3, "does not follow the step before"),
            (3, f"FOLLOWS {LOST}"),
        ],
    ),
    "first step gone": (
        FIVE + "DETACH DELETE a",
        [
            (1, "the first step is missing"),
            (1, f"FOLLOWS {LOST}"),
            (2, f"REVISES {LOST}"),
        ],
    ),
    "tail cut": (FIVE + "DETACH DELETE e", [(4, HEAD)]),
    "all gone": (FIVE + "FOREACH (t IN s | DETACH DELETE t)", [(0, HEAD)]),
    "head hash edited": (H + "SET h.head_hash = 'other'", [(5, HEAD)]),
    "head step edited": (H + "SET h.head_step = 3", [(5, HEAD)]),
    "head removed": (H + "REMOVE h.head_hash, h.head_step", [(5, HEAD)]),
    "chain hash edited": (T + "SET t.chain_hash = 'other'", [(3, "does not follow the step before")]),
    "previous hash edited": (T + "SET t.prev_hash = 'other'", [(2, "does not follow the step before")]),
    "previous hash removed": (T + "REMOVE t.prev_hash", [(2, "does not follow the step before")]),
    "FOLLOWS gone": (
        T + "MATCH (t)-[r:FOLLOWS]->() DELETE r",
        [(2, f"FOLLOWS {LOST}")],
    ),
    "REVISES turned": (
        FIVE + "MATCH (c)-[r:REVISES]->() DELETE r CREATE (c)-[:REVISES]->(b)",
        [(2, f"REVISES {LOST}")],
    ),
    "CHILD_OF gone": (
        T + "MATCH (t)-[r:CHILD_OF]->() DELETE r",
        [(2, f"CHILD_OF {LOST}")],
    ),
    "FOR_ACTION gone": (T + "MATCH (t)-[r:FOR_ACTION]->() DELETE r", [(2, f"FOR_ACTION {LOST}")]),
    "FOR_ACTION made to wait": (
        T + "MATCH (t)-[r:FOR_ACTION]->(x) DELETE r "
        "MERGE (p:Pending {namespace: $ns, id: x.id}) CREATE (t)-[:AWAITS {type: 'FOR_ACTION'}]->(p)",
        [(2, f"FOR_ACTION {LOST}")],
    ),
    "waiting link of another type": (
        FIVE + "MATCH (e)-[w:AWAITS]->() SET w.type = 'REVISES'",
        [(4, f"BRANCHES_FROM {LOST}")],
    ),
    "waiting link gone": (
        FIVE + "MATCH (e)-[r:AWAITS]->() DELETE r",
        [(4, f"BRANCHES_FROM {LOST}")],
    ),
    "mark gone": (T + "SET t.chained = false", [(2, "chained was removed or changed")]),
    "IN_SESSION gone": (
        T + "MATCH (t)-[r:IN_SESSION]->() DELETE r",
        [(2, f"IN_SESSION {LOST}")],
    ),
    "link property edited": (
        T + "SET t.revises_thought = 'x'",
        [(2, f"REVISES {LOST}")],
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
async def test_each_change_has_its_rows(chain: Chain, name: str) -> None:
    statement, rows = DAMAGES[name]
    await chain.raw(statement)
    assert sorted(await faults(chain)) == sorted(rows)


async def test_a_duplicate_is_a_row_at_its_place(chain: Chain) -> None:
    await chain.raw(T + "CREATE (x:Thought) SET x = t {.*, id: randomUUID()}")
    found = await faults(chain)
    assert (2, "two thoughts have this step") in found
    assert {step for step, _ in found} == {2}


async def test_swapped_steps_are_rows_at_both_places(chain: Chain) -> None:
    await chain.raw(FIVE + "SET b.step_index = 2, c.step_index = 1")
    assert await faults(chain) == [(step, "does not follow the step before") for step in (1, 2, 3)]


async def test_a_missing_session_is_a_row_after_its_last_step(chain: Chain) -> None:
    await chain.raw(H + "DETACH DELETE h")
    found = await faults(chain)
    assert (5, "the session is missing") in found
    assert [step for step, fault in found if fault == f"IN_SESSION {LOST}"] == [
        0,
        1,
        2,
        3,
        4,
    ]


async def test_a_moved_thought_is_missing_here_and_unexpected_there(chain: Chain) -> None:
    other = await make(chain.mind)
    await chain.one(T + "SET t.session_id = $other, t.step_index = 5 RETURN t.id", other=other.session)
    assert (3, "steps are missing before this one") in await faults(chain)
    found = await faults(other)
    assert (5, "does not follow the step before") in found
    assert (5, f"IN_SESSION {LOST}") in found
    assert (6, HEAD) in found
