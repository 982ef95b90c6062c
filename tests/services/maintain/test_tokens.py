"""Tokens of `serve`, on a real server. They belong to the whole database, so each test uses its own."""

import hashlib

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.maintenance import Token
from legacymind.services.maintain import tokens
from tests.wire import raw

pytestmark = pytest.mark.anyio


async def test_a_token_is_recognised_until_it_is_revoked(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await mind.create_token("ci", role="read")
    service = mind.services.tokens
    assert (made.namespaces, made.role, made.name) == ([mind.settings.namespace], "read", "ci")
    known = Token(
        id=made.id,
        name="ci",
        namespaces=made.namespaces,
        role="read",
        trust="agent",
        created_at=made.created_at,
    )
    assert await service.recognise(made.text) == known
    assert known in await mind.tokens()
    for other in ("", made.text + "x", made.text[:-1], made.text.upper(), made.id, "\ud800"):
        assert await service.recognise(other) is None
    await mind.revoke_token(made.id)
    assert await service.recognise(made.text) == known  # for two seconds
    monkeypatch.setattr(tokens, "_FRESH", -1.0)
    assert await service.recognise(made.text) is None
    with pytest.raises(NotFound, match="token list"):
        await mind.revoke_token(made.id)


async def test_only_the_hash_of_a_token_is_stored(mind: Mind) -> None:
    made = await mind.create_token("ci", namespace=f"{mind.settings.namespace}-other")
    try:
        (stored,) = await raw(mind, "MATCH (t:AccessToken {id: $id}) RETURN properties(t) AS t", id=made.id)
        assert stored["t"]["digest"] == hashlib.sha256(made.text.encode()).hexdigest()
        assert made.text not in str(stored)
        assert made.text not in repr(made)
        assert len(made.text) > 40
    finally:
        await mind.revoke_token(made.id)


async def test_a_node_made_by_hand_admits_nobody(mind: Mind) -> None:
    made = await mind.create_token("ci")
    match = "MATCH (t:AccessToken {id: $id}) SET "
    try:
        for change in (
            "t.namespaces = null",
            "t.namespaces = []",
            "t.namespaces = [1]",
            "t.digest = 5",
            "t.digest = 'é'",
        ):
            await raw(mind, match + change, id=made.id)
            mind.services.tokens._read_at = float("-inf")  # pyright: ignore[reportPrivateUsage]
            assert await mind.services.tokens.recognise(made.text) is None
    finally:
        await mind.revoke_token(made.id)


async def test_an_unusable_token_is_not_made(mind: Mind) -> None:
    before = await mind.tokens()
    for arguments in ({"name": " "}, {"name": "x", "role": "owner"}, {"name": "x", "namespace": "a\nb"}):
        with pytest.raises(InvalidInput):
            await mind.create_token(**arguments)  # pyright: ignore[reportArgumentType]
    assert len(await mind.tokens()) == len(before)
