"""Keyed chains verify only with their keys, keys can change, and re-hashing needs the key."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest

from legacymind.errors import ConfigurationError
from legacymind.mind import Mind
from legacymind.services.shared.chain_keys import ChainKeys, key_id
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.services.chain.chains import FIVE, Chain, T, make, rehash, think
from tests.wire import raw

pytestmark = pytest.mark.anyio

FIRST, SECOND = "first-secret-of-32-characters-000", "second-secret-of-32-characters-00"
K1, K2 = key_id(FIRST), key_id(SECOND)


Over = Callable[..., Mind]


@pytest.fixture
async def over(mind: Mind) -> AsyncIterator[Over]:
    """Other minds over the same namespace, with the given keys."""
    async with AsyncExitStack() as opened:
        made: list[Mind] = []

        def make_one(**keys: str) -> Mind:
            made.append(Mind(mind.settings.changed(**keys), embedder=FakeEmbedder()))
            opened.push_async_callback(made[-1].close)
            return made[-1]

        yield make_one


@pytest.fixture
async def chain(over: Over) -> Chain:
    """Five steps keyed with its key; its mind has the key."""
    return await make(over(chain_key=FIRST), "session")


def seen_by(mind: Mind, chain: Chain) -> Chain:
    """The same chain, read with other keys."""
    return Chain(mind, chain.session, chain.ids)


async def test_a_keyed_chain_verifies_and_every_hash_is_an_hmac(chain: Chain) -> None:
    report = await chain.verify()
    assert (report.valid, report.complete, report.keyed, report.broken) == (True, True, 5, None)
    (step,) = await raw(
        chain.mind,
        "MATCH (t:Thought {id: $id}) RETURN t.prev_hash AS prev, t.content_hash AS content, "
        "t.chain_hash AS chain, t.hash_alg AS alg, t.key_id AS key",
        id=chain.ids[2],
    )
    joined = bytes.fromhex(step["prev"]) + bytes.fromhex(step["content"])
    assert step["chain"] == hmac.new(FIRST.encode(), joined, hashlib.sha256).hexdigest()
    assert (step["alg"], step["key"]) == ("hmac-sha256", K1)


async def test_without_the_key_the_report_names_the_missing_key(over: Over, chain: Chain) -> None:
    report = await seen_by(over(), chain).verify()
    assert (report.valid, report.broken_at, report.keyed) == (False, 0, 5)
    assert report.verdict == "unverifiable"
    assert (report.faults[0].kind, K1 in report.faults[0].fault) == ("key", True)


async def test_two_keys_never_have_the_same_id(over: Over, chain: Chain) -> None:
    assert K1 != K2
    report = await seen_by(over(chain_key=SECOND), chain).verify()
    assert (report.verdict, report.broken_at) == ("unverifiable", 0)
    assert (report.faults[0].kind, K1 in report.faults[0].fault) == ("key", True)


@pytest.mark.parametrize(
    ("alg", "key_id", "broken"),
    [
        ("sha256", None, "this step has no key although earlier steps have one"),
        ("sha256", K1, "this step has no key although earlier steps have one"),
        ("hmac-sha256", K1, "The chain hash does not follow from the record"),
        ("hmac-sha256", "k9", "k9"),
        ("sha512", None, "its algorithm is unknown"),
        (None, None, "its algorithm is unknown"),
    ],
)
async def test_a_chain_rehashed_without_the_key_breaks_where_the_forgery_begins(
    chain: Chain, alg: str | None, key_id: str | None, broken: str
) -> None:
    previous = await rehash(chain.mind, chain.ids[2], {"content": "forged"}, await chain.hash_of(1))
    for thought_id in chain.ids[3:]:
        previous = await rehash(chain.mind, thought_id, {}, previous)
    await raw(
        chain.mind,
        "UNWIND $ids AS id MATCH (t:Thought {id: id}) SET t.hash_alg = $alg, t.key_id = $key",
        ids=chain.ids[2:],
        alg=alg,
        key=key_id,
    )
    await raw(
        chain.mind,
        "MATCH (h:Session {namespace: $ns, id: 'session'}) SET h.head_hash = $hash, h.head_key_id = $key",
        ns=chain.mind.settings.namespace,
        hash=previous,
        key=key_id,
    )
    report = await chain.verify()
    assert (report.valid, report.complete, report.broken_at) == (False, True, 2)
    assert broken in report.faults[0].fault
    assert report.verdict == ("unverifiable" if key_id == "k9" else "broken")


async def test_a_chain_rehashed_whole_without_the_key_has_no_keyed_step_and_no_older_head(
    chain: Chain,
) -> None:
    known = await chain.hash_of(4)
    (first,) = await raw(
        chain.mind, "MATCH (t:Thought {id: $id}) RETURN t.prev_hash AS prev", id=chain.ids[0]
    )
    previous = first["prev"]
    for thought_id in chain.ids:
        previous = await rehash(chain.mind, thought_id, {}, previous)
    await chain.raw(FIVE + "FOREACH (t IN s | SET t.hash_alg = 'sha256' REMOVE t.key_id)")
    report = await chain.mind.verify(chain.session, known_step=4, known_hash=known)
    assert (report.verdict, report.valid, report.keyed, report.known_head) == ("broken", True, 0, False)
    await chain.raw("MATCH (h:Session {namespace: $ns, id: $session}) REMOVE h.head_key_id")
    await raw(
        chain.mind,
        "MATCH (h:Session {namespace: $ns, id: 'session'}) SET h.head_hash = $hash",
        ns=chain.mind.settings.namespace,
        hash=previous,
    )
    report = await chain.verify()  # only the count shows it
    assert (report.verdict, report.unkeyed) == ("intact", 5)
    assert report.message.endswith("Without a key: 5.")
    report = await chain.mind.verify(chain.session, require_key=True)
    assert (report.verdict, report.broken_at, report.fault_count) == ("unverifiable", 0, 5)
    assert {fault.kind for fault in report.faults} == {"unkeyed"}
    async with Mind(chain.mind.settings.changed(chain_key_required=True), embedder=FakeEmbedder()) as strict:
        assert (await strict.verify(chain.session)).verdict == "unverifiable"
        assert (await strict.verify_all()).verdict == "unverifiable"


async def test_any_edit_of_a_keyed_step_is_reported_at_the_step(chain: Chain) -> None:
    await chain.raw(T + "SET t.tags = ['idea']")
    report = await chain.verify()
    assert (report.valid, report.broken_at) == (False, 2)


async def test_after_a_change_of_keys_the_old_steps_verify_with_the_old_key(over: Over, chain: Chain) -> None:
    renewed = seen_by(over(chain_key=SECOND, chain_old_keys=f" {FIRST} ,"), chain)
    for number in range(3):
        await think(renewed.mind, "session", f"under the second key {number}")
    report = await renewed.verify()
    assert (report.valid, report.complete, report.keyed, report.thought_count) == (True, True, 8, 8)
    forgotten = seen_by(over(chain_key=SECOND), chain)
    report = await forgotten.verify()
    assert (report.broken_at, report.faults[0].kind, K1 in report.faults[0].fault) == (0, "key", True)
    report = await chain.verify()  # with the first key alone, up to the first step of the second
    assert (report.broken_at, report.faults[0].kind, K2 in report.faults[0].fault) == (5, "key", True)


async def test_a_chain_begun_without_a_key_continues_with_one(over: Over, mind: Mind) -> None:
    plain = await make(mind, "session")
    keyed = seen_by(over(chain_key=FIRST), plain)
    await think(keyed.mind, "session", "from here on under a key")
    report = await keyed.verify()
    assert (report.valid, report.complete, report.keyed, report.thought_count) == (True, True, 1, 6)
    assert (report.verdict, report.unkeyed) == ("intact", 5)
    assert report.message.endswith("Without a key: 5.")


async def test_writers_without_the_key_are_rejected_and_store_nothing(over: Over, chain: Chain) -> None:
    plain = seen_by(over(), chain)
    for _ in range(2):  # without the session's head in memory, and with it
        with pytest.raises(ConfigurationError) as raised:
            await think(plain.mind, "session", "unkeyed")
        assert "LEGACYMIND_CHAIN_KEY" in raised.value.hint
        assert f"session is keyed with {K1}" in raised.value.what
        assert FIRST not in str(raised.value)
    calls = [think(plain.mind, "session", f"unkeyed {n}") for n in range(3)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(result) for result in results] == [ConfigurationError] * 3
    with pytest.raises(ConfigurationError):
        await plain.mind.operations["thought_plan"].call({"session_id": "session", "plan_description": "p"})
    report = await chain.verify()
    assert (report.valid, report.complete, report.thought_count) == (True, True, 5)
    await think(plain.mind, "another", "its own chain needs no key")


@pytest.mark.parametrize(
    "keys",
    [
        {"chain_key": "tinysecret"},
        {"chain_key": "a-secret-with-a-,-cannot-be-listed"},
        {"chain_old_keys": "too-short"},
        {"chain_old_keys": f"{FIRST},too-short"},
    ],
    ids=str,
)
async def test_invalid_keys_are_rejected_without_being_quoted(
    settings: Settings, keys: dict[str, str]
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Mind(settings.changed(**keys), embedder=FakeEmbedder())
    assert "LEGACYMIND_CHAIN" in str(raised.value)
    assert raised.value.hint
    for secret in (FIRST, SECOND, "tinysecret", "too-short", "secret-"):
        assert secret not in str(raised.value)


async def test_secrets_are_in_no_repr(settings: Settings) -> None:
    keyed = settings.changed(chain_key=SECOND, chain_old_keys=FIRST)
    for shown in (repr(keyed), str(keyed), repr(ChainKeys.of(keyed)), f"{ChainKeys.of(keyed)}"):
        assert FIRST not in shown
        assert SECOND not in shown
