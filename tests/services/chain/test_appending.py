"""A step is appended only to the last step of a chain: what follows a false head would be broken for good."""

from collections.abc import AsyncIterator
from typing import LiteralString

import pytest

from legacymind.errors import ChainBroken, ConfigurationError
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.services.chain.chains import FIVE, Chain, H, make, think
from tests.steps import own_namespace

pytestmark = pytest.mark.anyio

SECRETS = ("first-secret-of-32-characters-000", "second-secret-of-32-characters-00")


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings) as opened:
        yield opened


@pytest.fixture
async def other(mind: Mind) -> AsyncIterator[Mind]:
    """Another process, which does not know the heads of sessions."""
    async with Mind(mind.settings, embedder=FakeEmbedder()) as opened:
        yield opened


FALSE_HEADS: dict[str, LiteralString] = {
    "hash": H + "SET h.head_hash = 'other'",
    "hash of another step": FIVE
    + "MATCH (h:Session {namespace: $ns, id: $session}) SET h.head_hash = d.chain_hash",
    "no hash": H + "REMOVE h.head_hash",
    "no head": H + "REMOVE h.head_hash, h.head_step, h.head_id",
    "step as float": H + "SET h.head_step = 4.0",
    "step as text": H + "SET h.head_step = '4'",
    "earlier step": H + "SET h.head_step = 3",
    "head set to an earlier step": FIVE + "MATCH (h:Session {namespace: $ns, id: $session}) "
    "SET h.head_hash = d.chain_hash, h.head_step = 3, h.head_id = d.id",
    "later step": H + "SET h.head_step = 5",
    "head of a new session": FIVE + "MATCH (h:Session {namespace: $ns, id: $session}) "
    "SET h.head_hash = a.prev_hash, h.head_step = -1 REMOVE h.head_id",
    "id": H + "SET h.head_id = 'another'",
    "key": H + "SET h.head_key_id = 'another'",
    "tail cut off": FIVE + "DETACH DELETE e",
    "last hash": FIVE + "SET e.chain_hash = e.content_hash",
    "last content hash": FIVE + "SET e.content_hash = e.chain_hash",
    "last algorithm": FIVE + "SET e.hash_alg = 'hmac-sha256'",
    "last step as float": FIVE + "SET e.step_index = 4.0",
}


@pytest.mark.parametrize("scale", [0, 2])
@pytest.mark.parametrize("name", FALSE_HEADS)
async def test_nothing_is_appended_to_a_false_head(chain: Chain, other: Mind, name: str, scale: int) -> None:
    await chain.raw(FALSE_HEADS[name])
    count = "MATCH (t:Thought {namespace: $ns, session_id: $session}) RETURN count(t)"
    before = await chain.one(count)
    for _ in range(2):
        with pytest.raises(ChainBroken) as raised:
            await think(other, chain.session, "goes on", injection_scale=scale)
        assert raised.value.hint
    with pytest.raises(ChainBroken):
        await other.operations["redact_thought"].call({"thought_id": chain.ids[0], "reason": "x"})
    assert await chain.one(count) == before


@pytest.mark.parametrize("cut", ["e", "x"])
async def test_the_writer_of_the_last_step_notices_another_end_too(chain: Chain, cut: str) -> None:
    """It keeps the head of the session, which is as it was."""
    steps: dict[str, LiteralString] = {
        "e": FIVE + "DETACH DELETE e",
        "x": FIVE + "CREATE (x:Thought) SET x = e {.*, id: randomUUID(), step_index: 5, embedding_a: null}, "
        "x.prev_hash = e.chain_hash",
    }
    await chain.raw(steps[cut])
    with pytest.raises(ChainBroken):
        await think(chain.mind, chain.session, "goes on")


async def test_a_writer_with_another_key_neither_appends_nor_breaks_the_chain(mind: Mind) -> None:
    first, second = (Mind(mind.settings.changed(chain_key=one), embedder=FakeEmbedder()) for one in SECRETS)
    async with first, second:
        chain = await make(first)
        with pytest.raises(ConfigurationError, match="LEGACYMIND_CHAIN_OLD_KEYS"):
            await think(second, chain.session, "under another key")
        await think(first, chain.session, "goes on")
        assert (await chain.verify()).verdict == "intact"
