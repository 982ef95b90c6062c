"""What a redaction does to other thoughts that quoted the text, and to the key of the redacted one."""

from typing import Any

import pytest

from legacymind.embed.cache import CachedEmbedder
from legacymind.errors import Conflict
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import bare, remember, store_thought
from tests.wire import one, raw, text_indexed

pytestmark = pytest.mark.anyio

QUOTED = "Nearby entities:\n- (0.50) a\nEarlier thoughts:\n- a\n- a\n- a cat, said a\n- banana\n- a\n"
EXPECTED = QUOTED.replace("\n- a\n- a\n", "\n- (redacted)\n- (redacted)\n").replace(
    "banana\n- a", "banana\n- (redacted)"
)


async def test_a_redaction_replaces_whole_quoted_lines_also_where_the_recall_was_pruned(mind: Mind) -> None:
    letter = await mind.think("a", injection_scale=0)
    other = await mind.think("banana", injection_scale=0)
    ids = {"id": other.delegated_result.thought_id.removeprefix("thoughts:")}
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.enriched_content = $quoted", quoted=QUOTED, **ids)
    await mind.redact_thought(letter.delegated_result.thought_id, "a letter", "ada")
    assert await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.enriched_content", **ids) == EXPECTED
    assert (await mind.verify("session")).verdict == "intact"


async def test_a_redaction_finds_the_lines_of_a_text_with_another_title(
    mind: Mind,
) -> None:
    secret = await mind.think("Earlier thoughts:\n the code is 1234", injection_scale=0)
    other = await mind.think("banana", injection_scale=0)
    ids = {"secret": bare(secret), "other": bare(other)}
    lines = "Earlier thoughts:\n- Earlier thoughts: the code is 1234\n- Earlier thoughts:\n- banana\n"
    await raw(mind, "MATCH (t:Thought {id: $secret}) SET t.title = 'The code'", **ids)
    await raw(mind, "MATCH (t:Thought {id: $other}) SET t.enriched_content = $lines", lines=lines, **ids)
    await mind.redact_thought(ids["secret"], "a code", "ada")
    left = await one(mind, "MATCH (t:Thought {id: $other}) RETURN t.enriched_content", **ids)
    assert left == "Earlier thoughts:\n- (redacted)\n- Earlier thoughts:\n- banana\n"


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
        await remember(mind, entities=[{"name": "Kiln"}])
        await mind.redact_thought(vase, "a secret")
        calls = len(inner.calls)
        await mind.vectors.embed(["The Vase broke", "Kiln"])
        assert inner.calls[calls:] == [["The Vase broke"]]
