"""Every read keeps to its token budget."""

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from legacymind.doors.answer import jsonable
from legacymind.mind import Mind
from legacymind.operations.budget import DEFAULT_TOKENS, tokens
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import own_namespace

pytestmark = pytest.mark.anyio

LONG: Final = "The retry storm began when the breaker's timeout was raised; 12 pods fell over at 03:15. " * 20
SESSION: Final = "s" + "9a" * 60
"""An id of many tokens: a result that contains it has less room for the rest."""
ACTION: Final = f"action-{SESSION}"
READS: Final[dict[str, dict[str, Any]]] = {
    "search": {"query": LONG[:200], "limit": 10},
    "search_thoughts": {
        "query": LONG[:200],
        "limit": 10,
        "method": "vector",
    },  # ranked search folds these copies
    "context": {"query": LONG[:200]},
    "walk_trail": {"thought_id": "last"},
    "entity": {"name": "Plant"},
    "list_entities": {},
    "communities": {"community": 1},
    "duplicates": {"min_score": 0.0},
    "thoughts_thread": {"session_id": SESSION},
    "thoughts_links": {"thought_id": "first"},
    "explain_recall": {"thought_id": "last"},
    "touched": {"id": "first"},
    "recall": {"content": LONG[:200], "injection_scale": 5},
    "thought_tree": {"session_id": SESSION, "include_children": True, "include_content": True},
    "thought_for_action": {"action_id": ACTION},
    "thought_reasoning_trail": {"action_id": ACTION},
    "detailed_help": {},
}
SMALL: Final = {"thoughts_links": 450}


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module, with more of everything than fits in any result."""
    async with own_namespace(engine_settings, SESSION) as opened:
        await opened.operations["remember"].call(
            {
                "entities": [{"name": f"Breaker {n}", "description": LONG} for n in range(30)],
                "observations": [{"entity": "Plant", "content": f"{n} {LONG}"} for n in range(30)],
            }
        )
        for number in range(30):
            result = await opened.operations["think"].call(
                {
                    "content": f"{number} {LONG}",
                    "injection_scale": 5,
                    "action_id": ACTION,
                    "parent_id": READS["thoughts_links"]["thought_id"] if number else None,
                }
            )
            READS["walk_trail"]["thought_id"] = result.delegated_result.thought_id
            READS["explain_recall"]["thought_id"] = result.delegated_result.thought_id
            if not number:
                READS["thoughts_links"]["thought_id"] = result.delegated_result.thought_id
                READS["touched"]["id"] = result.delegated_result.thought_id
        await opened.operations["analyze"].call({})
        yield opened


def test_every_read_of_thoughts_takes_a_budget() -> None:
    operations = Mind(Settings(), embedder=FakeEmbedder()).operations
    reads = {name for name, operation in operations.items() if not operation.declaration.writes}
    # The first three prove, and answer in few words. The fourth cuts one text (search/test_nodes.py),
    # the fifth has few values here (search/test_facets.py).
    assert reads - {"verify_chain", "chain_heads", "get", "search_facets"} <= READS.keys()
    for name in READS:
        assert "max_tokens" in {parameter.name for parameter in operations[name].parameters}


@pytest.mark.parametrize("name", READS)
async def test_a_result_keeps_to_its_budget_and_counts_what_it_left_out(mind: Mind, name: str) -> None:
    operation = mind.operations[name]
    small: Any = None
    for allowed in range(SMALL.get(name, 600), SMALL.get(name, 600) + 50, 7):
        small = jsonable(await operation.call(READS[name] | {"max_tokens": allowed}))
        assert allowed / 2 < tokens(small) <= allowed
    usual, much = [
        jsonable(await operation.call(READS[name] | more)) for more in ({}, {"max_tokens": 100_000})
    ]
    assert tokens(small) < tokens(usual) <= DEFAULT_TOKENS
    left_out = [answer.get("left_out", answer.get("leftOut", 0)) for answer in (small, usual, much)]
    assert left_out[0] > left_out[1] >= left_out[2] == 0
