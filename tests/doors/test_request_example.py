"""The complete request example of the specification, field by field, through MCP and GraphQL."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from mcp import Client
from pydantic.alias_generators import to_camel, to_snake

from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from tests.agents import build_server
from tests.wire import raw

pytestmark = pytest.mark.anyio

SESSION = "20251230-Session1-CC"
HYPOTHESIS = "Stack traces point to symptoms, not root causes"
CONTENT = (
    "I'm trying to understand how the OODA loop applies to debugging code. When I encounter a bug, I observe"
    " the error message, but I'm not sure how to orient myself toward root cause vs symptom. Should I start"
    " with the stack trace or trace through the logic?"
)
NEAR = tuple(
    f"OODA loop debugging code bug error message observe orient {what}"
    for what in (
        "root cause",
        "symptom",
        "stack trace",
        "logic",
        "cause and symptom",
        "trace and logic",
        "root and stack",
        "start",
    )
)
FILLER = "amber birch cedar delta ember flint"

GRAPHQL = """
mutation ($content: String!, $hint: Mode, $injectionScale: Int, $tags: [String!], $significance: Float,
          $sessionId: ID, $chainId: ID, $previousThoughtId: ID, $confidence: Float,
          $hypothesis: String, $needsVerification: Boolean, $verifyTopK: Int, $minSimilarity: Float,
          $evidenceLimit: Int, $verboseAnalysis: Boolean) {
  think(input: {content: $content, hint: $hint, injectionScale: $injectionScale, tags: $tags,
        significance: $significance, sessionId: $sessionId, chainId: $chainId,
        previousThoughtId: $previousThoughtId, confidence: $confidence, hypothesis: $hypothesis,
        needsVerification: $needsVerification, verifyTopK: $verifyTopK,
        minSimilarity: $minSimilarity, evidenceLimit: $evidenceLimit, verboseAnalysis: $verboseAnalysis}) {
    modeSelected
    reason
    enrichedContent
    delegatedResult { thoughtId embeddingModel embeddingDim memoriesInjected }
    links { sessionId chainId previousThoughtId revisesThought branchFrom confidence }
    telemetry {
      triggerMatched
      heuristics { keywords score }
      linksTelemetry { previousThoughtId }
    }
    verification {
      hypothesis
      supporting { id text similarity }
      contradicting { id text similarity }
      confidenceScore
      suggestedRevision
      telemetry {
        embeddingDim provider model timeMs matchedSupport matchedContradict candidatesAfterSimilarity
      }
    }
  }
}
"""

Door = Callable[[Mind, dict[str, Any]], Awaitable[dict[str, Any]]]


async def through_mcp(mind: Mind, arguments: dict[str, Any]) -> dict[str, Any]:
    async with Client(build_server(mind, "full")) as agent:
        result = await agent.call_tool("legacymind_think", arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def through_graphql(mind: Mind, arguments: dict[str, Any]) -> dict[str, Any]:
    variables = {to_camel(name): value for name, value in arguments.items()} | {"hint": "QUESTION"}
    result = await build_schema(mind).execute(GRAPHQL, variable_values=variables)
    assert result.errors is None, result.errors
    assert result.data is not None
    return _snake(result.data["think"])


def _snake(value: Any) -> Any:
    if isinstance(value, list):
        return [_snake(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        return {to_snake(name): _snake(item) for name, item in named.items()}
    if isinstance(value, str) and re.fullmatch("[A-Z_]+", value):
        return value.lower()  # an enum
    return value


async def prepare(mind: Mind) -> str:
    """Eight entities near the thought, eight facts for its hypothesis, two against, an earlier thought."""
    facts = [
        f"{'not ' * (number < 8)}stack traces point symptoms root causes {FILLER} fact{number}"
        for number in range(10)
    ]
    await mind.operations["remember"].call(
        {
            "entities": [{"name": name} for name in NEAR],
            "observations": [
                {"entity": f"zone{number}", "content": fact} for number, fact in enumerate(facts)
            ],
        }
    )
    earlier = f"abc123-def456-{mind.settings.namespace}"
    await mind.services.store.think(
        [mind.services.think.prepare(content="green tea", id=earlier, injection_scale=0)]
    )
    return earlier


@pytest.mark.parametrize("door", [through_mcp, through_graphql])
async def test_the_complete_request_example_field_by_field(mind: Mind, door: Door) -> None:
    earlier = await prepare(mind)
    answer = await door(
        mind,
        {
            "content": CONTENT,
            "hint": "question",
            "injection_scale": 2,
            "tags": ["debug", "idea"],
            "significance": 0.7,
            "session_id": SESSION,
            "chain_id": SESSION,
            "previous_thought_id": f"thoughts:{earlier}",
            "confidence": 0.8,
            "hypothesis": HYPOTHESIS,
            "needs_verification": True,
            "verify_top_k": 100,
            "min_similarity": 0.55,
            "evidence_limit": 5,
            "verbose_analysis": True,
        },
    )
    assert answer["mode_selected"] == "question"
    assert answer["reason"] == "hint specified"
    delegated = answer["delegated_result"]
    prefix = "" if door is through_graphql else "thoughts:"
    assert delegated["thought_id"].startswith(prefix)
    thought_id = delegated.pop("thought_id").removeprefix(prefix)
    assert delegated == {"embedding_model": "all-MiniLM-L6-v2", "embedding_dim": 384, "memories_injected": 8}
    links: dict[str, Any] = answer["links"]
    assert {
        name: links[name] for name in ("session_id", "chain_id", "previous_thought_id", "confidence")
    } == {
        "session_id": SESSION,
        "chain_id": SESSION,
        "previous_thought_id": earlier,
        "confidence": 0.8,
    }
    assert links.get("revises_thought") is links.get("branch_from") is None
    telemetry: dict[str, Any] = answer["telemetry"]
    assert telemetry.get("trigger_matched") is telemetry.get("heuristics") is None
    assert telemetry["links_telemetry"]["previous_thought_id"] == "record"
    verification: dict[str, Any] = answer["verification"]
    assert verification["hypothesis"] == HYPOTHESIS
    assert len(verification["supporting"]) == 5  # of 8: evidence_limit
    assert len(verification["contradicting"]) == 2
    assert all(item["similarity"] >= 0.55 for item in verification["supporting"])
    assert verification["confidence_score"] == 0.8
    assert verification.get("suggested_revision") is None
    assert verification["telemetry"].pop("time_ms") > 0
    assert verification["telemetry"] == {
        "embedding_dim": 384,
        "provider": "minilm",
        "model": "all-MiniLM-L6-v2",
        "matched_support": 8,
        "matched_contradict": 2,
        "candidates_after_similarity": 10,
    }
    (stored,) = await raw(
        mind,
        "MATCH (t:Thought {id: $id}) OPTIONAL MATCH (t)-[:FOLLOWS]->(p) RETURN t {.*} AS t, p.id AS followed,"
        " count { (t)-[:RECALLS]->() } AS recalls,"
        " count { (t)<-[:REINFORCES]-() } AS supports, count { (t)<-[:CONTRADICTS]-() } AS contradicts",
        id=thought_id,
    )
    assert (stored["followed"], stored["recalls"]) == (earlier, 8)
    assert (stored["supports"], stored["contradicts"]) == (5, 2)
    kept: dict[str, Any] = stored["t"]
    assert (kept["content"], kept["tags"]) == (CONTENT, ["debug", "idea"])
    assert (kept["significance"], kept["injection_scale"], kept["origin"]) == (
        0.7,
        2,
        "agent" if door is through_mcp else "user",
    )
    assert len(kept["injected_memories"]) == 8
    assert answer["enriched_content"].startswith("Nearby entities:\n- (0.")
    assert kept["framework_enhanced"] is True
