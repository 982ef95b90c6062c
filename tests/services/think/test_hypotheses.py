"""Tests of hypotheses against stored knowledge: evidence, confidence, telemetry and stored results."""

from typing import Any

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.think import Verification
from tests.fakes import FakeEmbedder
from tests.steps import bare, think_without_recall
from tests.wire import noted_statements, one, raw

pytestmark = pytest.mark.anyio

HYPOTHESIS = "copper kettle boils fast"
FACTS = {
    "one": "The copper kettle boils fast.",
    "two": "A copper kettle boils fast on gas.",
    "three": "The copper kettle does not boil fast.",
    "four": "Notable: a copper kettle boils fast, nothing else.",  # without the words "not" and "no"
    "five": "The blue whale cannot sing.",
}


@pytest.fixture
async def informed(mind: Mind) -> Mind:
    facts = [{"entity": f"item {name}", "content": content} for name, content in FACTS.items()]
    await mind.operations["remember"].call({"observations": facts})
    return mind


async def verify(mind: Mind, **options: Any) -> Verification:
    found = (await think_without_recall(mind, hypothesis=HYPOTHESIS, **options)).verification
    assert found is not None
    return found


async def test_evidence_supports_unless_its_own_words_contradict(informed: Mind) -> None:
    found = await verify(informed)
    assert [item.text for item in found.supporting] == [FACTS["one"], FACTS["two"], FACTS["four"]]
    assert [item.text for item in found.contradicting] == [FACTS["three"]]
    assert {item.kind for item in found.supporting} == {"observation"}
    similarities = [item.similarity for item in found.supporting]
    assert similarities == sorted(similarities, reverse=True)
    assert similarities[0] > 0.8
    assert found.hypothesis == HYPOTHESIS
    assert found.confidence_score == 0.75
    assert found.suggested_revision is None
    telemetry = found.telemetry
    assert (telemetry.provider, telemetry.model) == ("minilm", "all-MiniLM-L6-v2")
    assert telemetry.embedding_dim == 384
    assert (telemetry.matched_support, telemetry.matched_contradict) == (3, 1)
    assert telemetry.candidates_after_similarity == 4
    assert 0 < (telemetry.time_ms or 0) < 60_000


async def test_counts_and_confidence_include_evidence_beyond_the_limit(informed: Mind) -> None:
    found = await verify(informed, evidence_limit=1)
    assert (len(found.supporting), len(found.contradicting)) == (1, 1)
    assert (found.telemetry.matched_support, found.confidence_score) == (3, 0.75)
    none = await verify(informed, evidence_limit="0")
    assert (none.supporting, none.contradicting, none.confidence_score) == ([], [], 0.75)


async def test_given_patterns_replace_the_default_ones_and_are_plain_text(informed: Mind) -> None:
    found = await verify(informed, contradiction_patterns=["on gas"])
    assert [item.text for item in found.contradicting] == [FACTS["two"]]
    assert await verify(informed, contradiction_patterns="FAST, .*")
    shouted = await verify(informed, contradiction_patterns="FAST")
    assert (shouted.supporting, shouted.confidence_score) == ([], 0)
    assert shouted.suggested_revision is not None
    assert "By wording only, 4 of 4" in shouted.suggested_revision
    assert shouted.basis == "by wording only"
    with pytest.raises(InvalidInput):
        await verify(informed, contradiction_patterns=["x" * 1000])


async def test_without_evidence_there_is_no_confidence(informed: Mind) -> None:
    found = await verify(informed, min_similarity=0.999999)
    assert (found.supporting, found.contradicting, found.confidence_score) == ([], [], None)
    assert (found.basis, found.telemetry.candidates_after_similarity) == (
        "no stored fact is near it",
        0,
    )


async def test_what_is_only_near_is_counted_and_not_stored(informed: Mind) -> None:
    result = await think_without_recall(informed, hypothesis="The copper kettle is heavy", min_similarity=0.1)
    assert result.verification is not None
    assert result.verification.confidence_score is None
    near = result.verification.telemetry.candidates_after_similarity
    assert near >= 4
    assert result.verification.basis == f"by wording, none of the {near} nearest facts decides it; read them"
    assert len(result.verification.near) == 3
    links = "MATCH (:Thought {id: $id})<-[r:REINFORCES|CONTRADICTS]-() RETURN count(r)"
    assert await one(informed, links, id=bare(result)) == 0


async def test_only_the_nearest_topk_are_compared(informed: Mind) -> None:
    for most, compared in (("2", 2), (None, 2 * len(FACTS))):  # with their entities
        found = await verify(informed, verify_top_k=most, min_similarity=-1)
        assert found.telemetry.candidates_after_similarity == compared


async def test_a_thought_is_its_own_hypothesis_if_only_verification_is_requested(informed: Mind) -> None:
    result = await think_without_recall(informed, HYPOTHESIS, needs_verification=True)
    assert result.verification is not None
    assert (result.verification.hypothesis, result.verification.confidence_score) == (HYPOTHESIS, 0.75)
    assert (await think_without_recall(informed, HYPOTHESIS)).verification is None
    untested = await think_without_recall(informed, hypothesis=HYPOTHESIS, needs_verification=False)
    assert untested.verification is None
    assert (
        await one(informed, "MATCH (t:Thought {id: $id}) RETURN t.hypothesis", id=bare(untested))
        == HYPOTHESIS
    )


async def test_a_verification_is_stored_as_relationships_and_as_a_list(informed: Mind) -> None:
    result = await think_without_recall(informed, hypothesis=HYPOTHESIS, evidence_limit=2)
    found = result.verification
    assert found is not None
    rows = await raw(
        informed,
        "MATCH (e)-[r:REINFORCES|CONTRADICTS]->(t:Thought {id: $id}) "
        "RETURN type(r) AS kind, e.id AS id, r.cosine AS cosine ORDER BY kind DESC, cosine DESC",
        id=bare(result),
    )
    expected = [("REINFORCES", item.id, item.similarity) for item in found.supporting]
    expected += [("CONTRADICTS", item.id, item.similarity) for item in found.contradicting]
    assert [(row["kind"], row["id"], round(row["cosine"], 4)) for row in rows] == expected
    (stored,) = await raw(informed, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(result))
    assert [line.split(" ", 2)[::2] for line in stored["t"]["verification"]] == [
        ["supports" if kind == "REINFORCES" else "contradicts", own_id] for kind, own_id, _ in expected
    ]
    assert (stored["t"]["verification_supports"], stored["t"]["verification_contradicts"]) == (3, 1)


async def test_a_setting_turns_storing_verifications_off(informed: Mind) -> None:
    settings = informed.settings.changed(persist_verification=False)
    async with Mind(settings, embedder=FakeEmbedder()) as forgetful:
        result = await think_without_recall(forgetful, hypothesis=HYPOTHESIS)
    assert result.verification is not None
    assert result.verification.confidence_score == 0.75
    assert (
        await one(
            informed,
            "MATCH (t:Thought {id: $id})<-[r:REINFORCES|CONTRADICTS]-() RETURN count(r)",
            id=bare(result),
        )
        == 0
    )
    assert await one(informed, "MATCH (t:Thought {id: $id}) RETURN t.verification", id=bare(result)) is None


async def test_ended_facts_are_no_evidence(informed: Mind) -> None:
    await raw(
        informed,
        "MATCH (o:Observation {namespace: $namespace, content: $content}) SET o.valid_to = o.valid_from",
        namespace=informed.settings.namespace,
        content=FACTS["three"],
    )
    assert (await verify(informed)).confidence_score == 1


async def test_a_verification_takes_one_read_and_no_further_embedding(informed: Mind) -> None:
    embedder = informed.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    await think_without_recall(informed)
    before = len(embedder.calls)
    with noted_statements() as ran:
        await think_without_recall(informed, hypothesis=HYPOTHESIS)
    assert (ran, len(embedder.calls) - before) == (["recall/find_knowledge", "think/store_thoughts"], 1)
