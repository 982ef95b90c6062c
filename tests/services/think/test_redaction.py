"""What a redaction does to answers about the text, and to the key of the redacted thought."""

from typing import Any

import pytest

from legacymind.embed.cache import CachedEmbedder
from legacymind.errors import Conflict
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import store_thought, think
from tests.wire import one, raw, text_indexed

pytestmark = pytest.mark.anyio


async def test_a_redacted_text_is_in_no_answer_about_what_recalled_it(mind: Mind) -> None:
    secret = await store_thought(mind, "the copper kettle code is 1234", session_id="a")
    call = {"content": "what is the copper kettle code", "idempotency_key": "k"}
    first = await think(mind, **call)
    assert "1234" in (first.enriched_content or "")
    await mind.redact_thought(secret, "a code", "ada")
    again = await think(mind, **call)
    assert [memory.id for memory in again.memories] == [secret]
    assert again.enriched_content == "Earlier thoughts:\n- (redacted)\n"
    stored = await one(
        mind, "MATCH (n {namespace: $ns}) RETURN collect(properties(n))", ns=mind.settings.namespace
    )
    assert "1234" not in str(stored)


async def test_the_key_of_a_redacted_thought_cannot_be_used_again(mind: Mind) -> None:
    first = await mind.think("one", idempotency_key="k", injection_scale=0)
    await mind.redact_thought(first.delegated_result.thought_id, "a secret", "ada")
    for content in ("one", "two"):
        with pytest.raises(Conflict, match="was redacted"):
            await mind.think(content, idempotency_key="k", injection_scale=0)
    assert (await mind.verify("session")).thought_count == 2


async def test_the_reason_for_redacting_a_thought_without_is_private_stays_in_its_session(mind: Mind) -> None:
    thought = await store_thought(mind, "the code of the safe", is_private=True, session_id="safe")
    await raw(mind, "MATCH (t:Thought {id: $id}) REMOVE t.is_private", id=thought)
    await mind.redact_thought(thought, "the code is the birthday of Ada", "ada", "safe")
    step = "MATCH (t:Thought {namespace: $ns, redacts: $id}) RETURN t.is_private"
    assert await one(mind, step, ns=mind.settings.namespace, id=thought) is True
    asked: dict[str, Any] = {"query": "birthday of Ada", "thought_type": "redaction", "method": "text"}
    await text_indexed(mind)
    assert (await mind.search(**asked)).hits == []
    assert len((await mind.search(**asked, own_session_id="safe")).hits) == 1


async def test_the_cache_keeps_no_redacted_text(settings: Settings) -> None:
    inner = FakeEmbedder()
    async with Mind(settings, session_id="session", embedder=CachedEmbedder(inner, 10)) as mind:
        vase = await store_thought(mind, "The Vase broke")
        await mind.redact_thought(vase, "a secret")
        calls = len(inner.calls)
        await mind.vectors.embed(["The Vase broke"])
        assert inner.calls[calls:] == [["The Vase broke"]]
