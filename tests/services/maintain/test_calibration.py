"""Calibration: which pairs count, which thresholds are proposed, and who uses stored thresholds."""

import dataclasses
import itertools
import math
import operator
import random
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, LiteralString

import pytest

from legacymind.db.query import Parameters, Query
from legacymind.embed.base import Thresholds
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.services.analysis import similarities
from legacymind.services.maintain import calibration
from legacymind.services.maintain.calibration import REFERENCE, Calibration
from legacymind.services.maintain.comparison import SAMPLE_KNOWLEDGE, SAMPLE_THOUGHTS
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import Wire, profiled_hits, raw

pytestmark = pytest.mark.anyio

WORDS = [f"{first}{last}" for first in ("kett", "tea", "lam", "boa", "whe") for last in ("lix", "puk", "rom")]


class AnotherModel(FakeEmbedder):
    info = dataclasses.replace(FakeEmbedder.info, version="2")


@pytest.fixture
async def mind(settings: Settings) -> AsyncIterator[Mind]:
    """A mind whose database loses its stored thresholds after the test."""
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened
        await opened.drop_calibration()


def texts(count: int, seed: int = 7) -> list[str]:
    """Return different texts of three to seven of fifteen words; some pairs share many, most few."""
    chance = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[" ".join(sorted(chance.sample(WORDS, chance.randint(3, 7))))] = None
    return list(found)


async def think(mind: Mind, contents: list[str], **options: Any) -> list[str]:
    """Store thoughts without predecessors and return their ids."""
    ids: list[str] = []
    for part in (contents[start : start + 100] for start in range(0, len(contents), 100)):
        thoughts = [
            {"content": content, "injection_scale": 0, "session_id": f"of {content[:60]}", **options}
            for content in part
        ]
        result = await mind.operations["think_batch"].call({"thoughts": thoughts})
        ids += [thought.thought_id.removeprefix("thoughts:") for thought in result.thoughts]
    return ids


async def remember(mind: Mind, names: list[str]) -> None:
    await mind.operations["remember"].call({"entities": [{"name": name} for name in names]})


async def write(mind: Mind, label: LiteralString, contents: list[str]) -> list[str]:
    """Write nodes with the vectors of ``contents`` directly and quickly; return their ids, oldest first.

    They have the properties that the samples read; other tests cover think and remember.
    """
    claim = await mind.vectors.claim()
    rows = [
        {"id": str(uuid.uuid4()), "vector": vector, "n": number}
        for number, vector in enumerate(FakeEmbedder.of(contents))
    ]
    await raw(
        mind,
        """UNWIND $rows AS row
        CREATE (n:$($label) {
          id: row.id, namespace: $namespace, recorded_at: datetime() + duration({milliseconds: row.n}),
          hot: true, is_private: false, name_key: row.id, type_key: '', valid_from: datetime({year: 1}),
          valid_to: datetime({year: 9999})
        })
        WITH n, row
        CALL db.create.setNodeVectorProperty(n, $property, row.vector)""",
        rows=rows,
        label=label,
        namespace=mind.settings.namespace,
        property=f"embedding_{claim.slot}",
    )
    return [str(row["id"]) for row in rows]


@pytest.fixture(scope="module")
async def filled(engine_settings: Settings) -> str:
    """A namespace with enough to measure; tests only read it."""
    settings = engine_settings.changed(namespace=f"test-{uuid.uuid4()}")
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await write(mind, "Thought", texts(140))
        await write(mind, "Entity", texts(50, seed=8))
    return settings.namespace


def cosines(some: list[list[float]], others: list[list[float]] | None = None) -> list[float]:
    pairs = itertools.combinations(some, 2) if others is None else itertools.product(some, others)
    return sorted((sum(map(operator.mul, a, b)) for a, b in pairs), reverse=True)


async def stored(mind: Mind, label: str, namespace: str) -> list[list[float]]:
    rows = await raw(
        mind,
        "MATCH (n:$($label) {namespace: $namespace}) RETURN n.embedding_a AS vector",
        label=label,
        namespace=namespace,
    )
    return [list(row["vector"]) for row in rows]


async def test_the_proposed_thresholds_accept_the_reference_shares(mind: Mind, filled: str) -> None:
    stages: list[str] = []
    found = await mind.calibrate(filled, progress=lambda stage, done, total: stages.append(stage))
    assert list(dict.fromkeys(stages)) == ["Reading a sample", "Comparing pairs"]
    assert (found.thoughts, found.knowledge) == (140, 50)
    thoughts, knowledge = await stored(mind, "Thought", filled), await stored(mind, "Entity", filled)
    pairs = {"thoughts": cosines(thoughts), "knowledge": cosines(thoughts, knowledge)}
    assert found.thought_pairs == len(pairs["thoughts"])
    assert found.knowledge_pairs == len(pairs["knowledge"])
    assert [one.reference for one in found.thresholds] == REFERENCE.values
    assert any(one.estimated for one in found.thresholds)
    for one in found.thresholds:
        passing = pairs[one.kind]
        wanted = one.reference * len(passing)
        if one.estimated:
            assert wanted < 20
            assert one.proposed >= passing[19] - 1e-4
        else:
            place = round(wanted) - 1  # no threshold separates equal cosines
            assert one.proposed == pytest.approx(passing[place], abs=2e-4)
    proposed = Thresholds.of([one.proposed for one in found.thresholds])
    assert proposed.floor < proposed.knowledge[0] < proposed.knowledge[1] <= proposed.knowledge[2] <= 0.99
    assert list(proposed.thoughts) == sorted(proposed.thoughts, reverse=True)


async def test_only_pairs_that_recall_considers_are_counted_and_each_once(mind: Mind) -> None:
    contents = texts(130)
    ids = [*await write(mind, "Thought", contents[:120]), *await think(mind, contents[120:])]
    await write(mind, "Entity", texts(40, seed=8)[:36])
    await remember(mind, texts(40, seed=8)[36:])
    before = await mind.calibrate()
    assert (before.thoughts, before.knowledge) == (130, 40)
    assert (before.thought_pairs, before.knowledge_pairs) == (130 * 129 // 2, 130 * 40)
    # Repeated texts, private, inactive or redacted thoughts and facts no longer valid do not count.
    await think(mind, contents[:3], chain_id="again")
    await think(mind, ["in private"], is_private=True)
    asleep, redacted = await think(mind, ["asleep", "redacted"])
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.hot = false", id=asleep)
    await mind.operations["redact_thought"].call({"thought_id": redacted, "reason": "test"})
    await mind.operations["remember"].call(
        {
            "observations": [
                {"entity": "x", "content": "once", "valid_from": "2019-01-01", "valid_to": "2020-01-01"}
            ]
        }
    )
    await raw(mind, "MATCH (e:Entity {namespace: $n, name: 'x'}) DETACH DELETE e", n=mind.settings.namespace)
    assert replace(await mind.calibrate(), thresholds=[]) == replace(before, thresholds=[])
    # Linked thoughts are never recalled, nor is an observation by the thought it was learned from.
    await think(mind, ["a wholly new one"], revises_thought=ids[10], branch_from=ids[11])
    await mind.operations["remember"].call(
        {"observations": [{"entity": "y", "content": "learned", "learned_from": ids[12]}]}
    )
    after = await mind.calibrate()
    assert (after.thoughts, after.knowledge) == (131, 42)
    assert after.thought_pairs == 131 * 130 // 2 - 2
    assert after.knowledge_pairs == 131 * 42 - 1


async def test_a_memory_that_is_too_small_is_rejected_with_its_counts_and_nothing_is_stored(
    mind: Mind,
) -> None:
    with pytest.raises(InvalidInput, match="0 different thoughts and 0 "):
        await mind.calibrate()
    await write(mind, "Thought", texts(99))
    await write(mind, "Entity", texts(30, seed=8))
    with pytest.raises(InvalidInput, match=r"99 different thoughts and 30 .*; 100 and 30 are needed"):
        await mind.calibrate()
    await think(mind, texts(99)[:3], chain_id="repeated")
    with pytest.raises(InvalidInput, match="99 different thoughts"):
        await mind.calibrate()
    await think(mind, ["the hundredth"])
    await mind.calibrate()
    assert not await mind.drop_calibration()


async def test_a_calibration_of_all_namespaces_pairs_nothing_across_them(mind: Mind) -> None:
    here = await write(mind, "Thought", texts(20))
    async with Mind(
        mind.settings.changed(namespace=f"{mind.settings.namespace} too"), embedder=FakeEmbedder()
    ) as other:
        there = await write(other, "Thought", texts(30))
    ((sample, _),) = await mind.graph.run(
        SAMPLE_THOUGHTS, {"namespace": None, "starts": here + there, "sample_size": 100, "everything": False}
    )
    drawn = [one for one in sample if one["id"] in {*here, *there}]
    assert len(drawn) == 50
    thoughts = similarities.points(drawn)
    assert len(thoughts) == 50  # the same text in another namespace is another
    assert len(similarities.among(thoughts)) == 20 * 19 // 2 + 30 * 29 // 2
    only_here = similarities.points([one for one in drawn if one["id"] in here])
    assert len(similarities.between(thoughts, only_here)) == 20 * 20
    ((sample, _),) = await mind.graph.run(
        SAMPLE_THOUGHTS,
        {
            "namespace": mind.settings.namespace,
            "starts": here + there,
            "sample_size": 100,
            "everything": False,
        },
    )
    assert {one["id"] for one in sample} == set(here)
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.is_private = true", id=here[0])
    for everything in (False, True):  # for a comparison of models
        given: Parameters = {
            "namespace": mind.settings.namespace,
            "starts": here,
            "sample_size": 100,
            "everything": everything,
        }
        ((sample, _),) = await mind.graph.run(SAMPLE_THOUGHTS, given)
        assert (here[0] in {one["id"] for one in sample}) == everything


async def kept(mind: Mind, filled: str) -> tuple[Calibration, Thresholds]:
    """Measure and store the proposed thresholds."""
    found = await mind.calibrate(filled)
    await mind.keep_calibration(found)
    return found, Thresholds.of([one.proposed for one in found.thresholds])


def opening(thresholds: Thresholds, way: float) -> float:
    """The cosine that recalls without a shared word: a part of the way from the floor to t1."""
    return thresholds.floor + way * (thresholds.knowledge[0] - thresholds.floor)


@pytest.mark.slow
@pytest.mark.alone
async def test_later_connections_use_stored_thresholds_without_a_further_statement(
    mind: Mind, filled: str
) -> None:
    content = {"content": "kettlix teapuk", "hint": "build", "session_id": "new", "verbose_analysis": True}
    await mind.operations["think"].call(content)  # creates the session
    async with Mind(mind.settings, embedder=FakeEmbedder()) as plain:
        with Wire() as cold:
            result = await plain.operations["think"].call(content)
        assert result.telemetry.threshold_knowledge == round(opening(FakeEmbedder.thresholds, 0.9), 4)
    _, thresholds = await kept(mind, filled)
    async with Mind(mind.settings, embedder=FakeEmbedder()) as later:
        with Wire() as first:
            result = await later.operations["think"].call(content)
        assert sorted(first.statements) == sorted(cold.statements)
        with Wire() as second:
            await later.operations["think"].call(content)
        assert len(second.statements) < len(first.statements)  # the head of the session is known
        assert opening(thresholds, 0.9) != pytest.approx(opening(FakeEmbedder.thresholds, 0.9), abs=1e-3)
        assert result.telemetry.threshold_knowledge == round(opening(thresholds, 0.9), 4)
        assert result.telemetry.threshold_thoughts == round(opening(thresholds, 0.9), 4)
        explained = await later.operations["explain_recall"].call(
            {"thought_id": result.delegated_result.thought_id}
        )
        assert explained.threshold_thoughts == round(opening(thresholds, 0.9), 4)
    async with Mind(mind.settings, embedder=FakeEmbedder()) as batching:
        assert batching.vectors.thresholds == FakeEmbedder.thresholds  # not connected yet
        (prepared,) = await batching.services.think.prepared(
            [{"content": "x", "injection_scale": 5}]
        )  # a batch shows no thresholds
        assert prepared.policy.thoughts.threshold == pytest.approx(opening(thresholds, 0.6))
        assert prepared.policy.thoughts.zero == thresholds.floor
        assert prepared.policy.floor == thresholds.floor


@pytest.mark.slow
@pytest.mark.alone
async def test_settings_override_stored_thresholds(mind: Mind, filled: str) -> None:
    _, thresholds = await kept(mind, filled)
    by_hand = mind.settings.changed(recall="thresholds", t2=0.0, floor=0.05)
    async with Mind(by_hand, embedder=FakeEmbedder()) as other:
        for scale, expected in ((2, 0.0), (1, thresholds.knowledge[0])):
            call = {"content": "x", "injection_scale": scale, "verbose_analysis": True}
            result = await other.operations["think"].call(call)
            assert result.telemetry.threshold_knowledge == round(expected, 4)
        found = await other.calibrate(filled)
        assert [one.present for one in found.thresholds] == thresholds.values


@pytest.mark.slow
@pytest.mark.alone
async def test_stored_thresholds_apply_to_their_model_until_they_are_dropped(mind: Mind, filled: str) -> None:
    found, thresholds = await kept(mind, filled)
    async with Mind(mind.settings, embedder=AnotherModel()) as other:
        await other.vectors.ready()
        assert other.vectors.thresholds == AnotherModel.thresholds
    async with Mind(mind.settings, embedder=FakeEmbedder()) as same:
        await same.vectors.ready()
        assert same.vectors.thresholds == thresholds
    (row,) = await raw(mind, "MATCH (d:LegacyMind {id: 'database'}) RETURN d {.*} AS d")
    assert row["d"]["embedding_a_thresholds_from"] == found.basis
    assert await mind.drop_calibration()
    assert not await mind.drop_calibration()
    (row,) = await raw(mind, "MATCH (d:LegacyMind {id: 'database'}) RETURN keys(d) AS keys")
    assert not [key for key in row["keys"] if "thresholds" in key]
    async with Mind(mind.settings, embedder=FakeEmbedder()) as after:
        await after.vectors.ready()
        assert after.vectors.thresholds == FakeEmbedder.thresholds


@pytest.mark.slow
async def test_sampling_a_namespace_four_times_as_large_costs_the_same(mind: Mind) -> None:
    async def cost(query: Query[Any]) -> int:
        given: dict[str, Any] = {
            "namespace": mind.settings.namespace,
            "starts": ["0", "5", "a"],
            "sample_size": 100,
        }
        if "everything" in query.names:
            given["everything"] = False
        if "now" in query.names:
            given["now"] = "2026-11-21T00:00:00Z"
        return await profiled_hits(mind, query, given)

    made = """UNWIND range($first, $last) AS n
      WITH $namespace AS space, $namespace + n AS id
      CREATE (:Thought {id: id, namespace: space, recorded_at: datetime()})
      CREATE (:Entity {id: id, namespace: space, name_key: id, type_key: ''})
      CREATE (:Observation {id: id, namespace: space, entity_id: id, fact_key: 'f'})"""
    await mind.vectors.claim()
    await raw(mind, made, first=1, last=500, namespace=mind.settings.namespace)
    small = [await cost(query) for query in (SAMPLE_THOUGHTS, SAMPLE_KNOWLEDGE)]
    await raw(mind, made, first=501, last=2000, namespace=mind.settings.namespace)
    large = [await cost(query) for query in (SAMPLE_THOUGHTS, SAMPLE_KNOWLEDGE)]
    for before, after in zip(small, large, strict=True):
        assert after <= before + 10


@pytest.mark.slow
async def test_a_sample_is_drawn_from_the_whole_namespace(mind: Mind) -> None:
    ids = await write(mind, "Thought", texts(400))
    starts = [f"{n:04x}" for n in range(0, 65536, 16)]
    ((sample, _),) = await mind.graph.run(
        SAMPLE_THOUGHTS,
        {"namespace": mind.settings.namespace, "starts": starts, "sample_size": 100, "everything": False},
    )
    places = {id: place for place, id in enumerate(ids)}
    drawn = [places[one["id"]] for one in sample]
    assert len(drawn) == len(set(drawn)) == 100
    assert min(drawn) < 300  # the newest hundred would be 300 to 399


def test_a_share_too_small_to_count_continues_the_tail_and_never_passes_the_top() -> None:
    import numpy as np

    tail = np.sort(0.3 + np.random.default_rng(1).exponential(0.05, 20_000).astype(np.float32))[::-1]
    counted, estimated = similarities.threshold(tail, 0.01)
    assert (counted, estimated) == (pytest.approx(0.3 + 0.05 * math.log(100), abs=0.02), False)
    extended, estimated = similarities.threshold(tail, 1e-5)
    assert (extended, estimated) == (pytest.approx(0.3 + 0.05 * math.log(1e5), abs=0.12), True)
    assert similarities.threshold(tail, 1e-12) == (0.99, True)


def test_the_reference_shares_fall_as_the_thresholds_rise() -> None:
    assert list(REFERENCE.knowledge) == sorted(REFERENCE.knowledge, reverse=True)
    assert list(REFERENCE.thoughts) == sorted(REFERENCE.thoughts)
    assert REFERENCE.floor > REFERENCE.knowledge[0]
    assert calibration.LEAST_THOUGHTS * calibration.LEAST_KNOWLEDGE > 2_000
