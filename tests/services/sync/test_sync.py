"""Two homes that synchronise through a folder have the same memory, whatever each of them did meanwhile."""

import gzip
import json
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from neo4j import GraphDatabase

from legacymind.db.options import Address
from legacymind.errors import Conflict, NotFound
from legacymind.mind import Mind
from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.model.sync import Restoration, SyncResult
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.segments import Place
from legacymind.services.sync.waiting import keep
from tests.fakes import FakeEmbedder
from tests.steps import store_thought
from tests.wire import raw

pytestmark = [pytest.mark.anyio, pytest.mark.engine, pytest.mark.alone]
"""What is stored while another transaction runs is written by the next synchronisation once more."""

NODES = "MATCH (n:Thought|Entity|Observation {namespace: $ns}) RETURN n {.*, embedding_a: null} AS n"
LINKS = (
    "MATCH (a {namespace: $ns})-[r]->(b) WHERE NOT type(r) IN ['MENTIONS', 'AWAITS'] "
    "RETURN DISTINCT [a.id, type(r), b.id] AS link"
)
COUNTS = (
    "MATCH (n:Thought|Entity|Observation {namespace: $ns}) RETURN n.access_count AS counted, "
    "n.last_accessed IS NOT NULL AS used, COUNT { ()-[:RECALLS]->(n) } AS uses"
)
LOCAL = {
    *(
        "noted_at",
        "replica",
        "stored_at",
        "embedding_deferred",
        "embedding_a_at",
        "lock",
        "mentions_deferred",
    ),
    *(
        "last_accessed",
        "access_count",
        "changed_at",
        "salience",
        "trust",
        "embedding_a",
        "pin_trust",
        "merged_observations",
        "merged_relations",
    ),
}


async def exchange(place: Path, *minds: Mind, rounds: int = 2) -> list[SyncResult]:
    results: list[SyncResult] = []
    for _ in range(rounds):
        for mind in minds:
            results.append(await mind.sync(place, trust=True))
            assert (results[-1].problems, results[-1].refused) == ([], [])
    return results


async def state(mind: Mind) -> tuple[dict[str, Any], list[Any]]:
    """All that two homes have in common after they synchronised."""
    ns = mind.settings.namespace
    nodes = [row["n"] for row in await raw(mind, NODES, ns=ns)]
    links = [row["link"] for row in await raw(mind, LINKS, ns=ns)]
    common = {
        one["id"]: {name: value for name, value in one.items() if name not in LOCAL and value is not None}
        for one in nodes
    }
    return common, sorted(links, key=str)


async def same(one: Mind, two: Mind) -> None:
    (nodes, links), (others, other_links) = await state(one), await state(two)
    assert nodes.keys() == others.keys()
    differing = [
        (one, name, own.get(name), others[one].get(name))
        for one, own in nodes.items()
        for name in {*own, *others[one]}
        if own.get(name) != others[one].get(name)
    ]
    assert differing == []
    assert links == other_links
    for mind in (one, two):
        survey = await mind.services.audit.survey(namespace=mind.settings.namespace)
        assert survey.faulty == []


async def facts(mind: Mind, name: str) -> list[str]:
    found = await mind.operations["entity"].call({"name": name})
    return sorted(fact.content for fact in found.observations)


async def _ada(mind: Mind) -> None:
    """Two facts about a person."""
    await mind.remember(
        [EntityInput(name="Ada", entity_type="person")],
        [
            ObservationInput(entity="Ada", content="lives in Lyon"),
            ObservationInput(entity="Ada", content="owns a harp"),
        ],
    )


async def test_what_changes_beside_an_older_transaction_is_written_at_once_and_whole(
    mind: Mind, other: Mind, address: Address, tmp_path: Path
) -> None:
    await mind.remember(
        relations=[RelationInput(source_entity="Ada", type="KNOWS", target_entity="Bob")],
    )
    driver = GraphDatabase.driver(address.uri, auth=(address.username, address.password))  # pyright: ignore[reportUnknownMemberType]
    with driver, driver.session() as session, session.begin_transaction() as older:  # pyright: ignore[reportUnknownMemberType]
        older.run("RETURN 1").consume()
        await mind.remember([EntityInput(name="Ada", description="An engineer")])
        await exchange(tmp_path, mind, other, rounds=1)
        await same(mind, other)
    await exchange(tmp_path, mind, other)
    await same(mind, other)


async def test_what_each_home_did_is_in_both_and_every_branch_verifies(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    first = await store_thought(mind, "The retry storm begins at noon", session_id="shared")
    await mind.remember(
        [EntityInput(name="Ada", entity_type="person")],
        [ObservationInput(entity="Ada", content="lives in Lyon")],
    )
    await exchange(tmp_path, mind, other)
    await same(mind, other)

    for n in range(3):
        await store_thought(mind, f"here {n}", session_id="shared", parent_id=first)
        await store_thought(other, f"there {n}", session_id="shared")
    await store_thought(other, "only there", session_id="there")
    await mind.remember(
        [EntityInput(name="Bob", entity_type="person")],
        [],
        [RelationInput(source_entity="Ada", target_entity="Bob", type="KNOWS")],
    )
    await other.remember([], [ObservationInput(entity="Ada", content="plays the harp")])
    await other.operations["pin_thought"].call({"thought_id": first, "own_session_id": "shared"})
    await exchange(tmp_path, mind, other)
    await same(mind, other)
    for each in (mind, other):
        report = await each.operations["verify_chain"].call({"session_id": "shared"})
        assert (report.verdict, report.thought_count) == ("intact", 7)
        assert "2 branches" in report.message
        assert await facts(each, "Ada") == ["lives in Lyon", "plays the harp"]
        await store_thought(each, "goes on", session_id="shared")
    await exchange(tmp_path, mind, other)
    await same(mind, other)
    again = await exchange(tmp_path, mind, other, rounds=1)
    assert [(one.written, one.stored) for one in again] == [(0, 0), (0, 0)]


async def test_what_one_home_removes_goes_from_both_and_stays_away(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    secret = await store_thought(mind, "The password is swordfish", session_id="shared")
    about = {
        "thought_id": secret,
        "target_id": await store_thought(mind, "It opens the safe"),
        "note": "a fish",
    }
    await mind.operations["relate_thought"].call({**about, "type": "REFERENCES", "own_session_id": "shared"})
    await _ada(mind)
    await exchange(tmp_path, mind, other)
    entity = await mind.operations["entity"].call({"name": "Ada"})
    gone = next(fact.id for fact in entity.observations if "Lyon" in fact.content)
    await other.operations["forget"].call({"id": gone, "confirm": True})
    await other.operations["redact_thought"].call({"thought_id": secret, "reason": "asked for"})
    await exchange(tmp_path, mind, other)
    await same(mind, other)
    for each in (mind, other):
        assert await facts(each, "Ada") == ["owns a harp"]
        texts = await raw(each, "MATCH (t:Thought {id: $id}) RETURN t.content AS text", id=secret)
        notes = await raw(
            each, "MATCH (:Thought {id: $id})-[r:REFERENCES]->() RETURN r.note AS note", id=secret
        )
        assert [row["note"] for row in notes] == [None]
        assert [row["text"] for row in texts] == [None]
    # A newer statement wins over the removal.
    await mind.remember([], [ObservationInput(entity="Ada", content="lives in Lyon")])
    await exchange(tmp_path, mind, other)
    assert await facts(other, "Ada") == ["lives in Lyon", "owns a harp"]
    await same(mind, other)


async def test_merges_and_superseded_facts_are_the_same_in_both(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    await mind.remember(
        [
            EntityInput(name="Ada", entity_type="person"),
            EntityInput(name="A. Lovelace", entity_type="person"),
        ],
        [
            ObservationInput(entity="Ada", content="lives in Lyon"),
            ObservationInput(entity="A. Lovelace", content="wrote notes"),
        ],
    )
    await exchange(tmp_path, mind, other)
    await mind.operations["merge"].call({"keep": "Ada", "others": ["A. Lovelace"]})
    old = next(f.id for f in (await other.operations["entity"].call({"name": "Ada"})).observations)
    await other.remember([], [ObservationInput(entity="Ada", content="lives in Rome", supersedes=old)])
    await other.remember([], [ObservationInput(entity="A. Lovelace", content="studied machines")])
    await exchange(tmp_path, mind, other, rounds=3)
    await same(mind, other)
    for each in (mind, other):
        assert await facts(each, "Ada") == ["lives in Rome", "studied machines", "wrote notes"]


async def test_the_uses_of_two_homes_add_up_and_an_import_has_as_many(
    mind: Mind, other: Mind, third: Mind, tmp_path: Path
) -> None:
    await store_thought(mind, "The retry storm begins at noon", session_id="shared")
    await _ada(mind)
    await exchange(tmp_path, mind, other, rounds=1)
    for each in (mind, other):
        for n in range(2):
            await store_thought(
                each, f"Does Ada lives in Lyon? The retry storm begins at noon {n}", injection_scale=3
            )
    await exchange(tmp_path, mind, other)
    file = tmp_path / "all.jsonl"
    file.write_text("\n".join([line async for line in other.export()]), encoding="utf-8")
    await third.import_file(file)
    for each in (mind, other, third):
        counted = await raw(each, COUNTS, ns=each.settings.namespace)
        assert sum(row["uses"] for row in counted) > 8
        assert [row for row in counted if row["uses"] != row["counted"]] == []
        assert all(row["used"] for row in counted if row["uses"])


async def test_private_sessions_stay_home_until_they_are_asked_for(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    await store_thought(mind, "open", session_id="diary")
    hidden = await store_thought(mind, "hidden", session_id="diary", is_private=True)
    await exchange(tmp_path, mind, other)
    assert await raw(other, "MATCH (t:Thought {namespace: $ns}) RETURN t", ns=other.settings.namespace) == []
    await mind.sync(tmp_path, private=True)
    await exchange(tmp_path, other)
    found = await raw(other, "MATCH (t:Thought {id: $id}) RETURN t.is_private AS own", id=hidden)
    assert [row["own"] for row in found] == [True]
    await same(mind, other)


async def test_a_damaged_segment_and_a_copied_home_are_named(mind: Mind, other: Mind, tmp_path: Path) -> None:
    await store_thought(mind, "one", session_id="shared")
    (result,) = await exchange(tmp_path, mind, rounds=1)
    file = tmp_path / mind.settings.namespace / result.replica / "00000001.jsonl.gz"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    waits = await other.sync(tmp_path, trust=True)
    assert (waits.stored, waits.problems, waits.sources[0].read) == (0, [], 0)
    file.write_bytes(whole)
    assert (await other.sync(tmp_path, trust=True)).stored == 1
    await store_thought(mind, "two", session_id="shared")
    await exchange(tmp_path, mind, rounds=1)
    file.write_bytes(gzip.compress(gzip.decompress(whole).replace(b'"one"', b'"ore"')))
    named = await other.sync(tmp_path, trust=True)
    assert (named.stored, len(named.refused)) == (0, 1)
    assert str(file) in named.problems[0]
    file.write_bytes(whole)
    restored = await other.sync(tmp_path, trust=True)
    assert (restored.stored, restored.problems) == (1, [])
    statement = "MATCH (s:SyncSource {namespace: $ns, replica: $id}) SET s.number = 1 REMOVE s.next_sha"
    await raw(mind, statement, ns=mind.settings.namespace, id=waits.sources[0].replica)
    with pytest.raises(Conflict, match="id of this one"):
        await mind.sync(tmp_path)
    await mind.sync(tmp_path, new_replica=True)
    (*_, result) = await exchange(tmp_path, other, mind, rounds=1)
    assert [one.read for one in result.sources] == [2]  # its own segments of before


async def test_a_home_with_a_new_id_writes_all_to_each_of_its_places(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    places = [tmp_path / name for name in ("one", "two")]
    for place in places:
        place.mkdir()
        await store_thought(mind, f"for {place.name}", session_id="shared")
        await exchange(place, mind, rounds=1)
    await mind.sync(places[0], new_replica=True)
    await exchange(places[1], mind, other, rounds=1)
    await same(mind, other)


async def test_the_status_says_how_far_homes_are_what_waits_and_what_was_refused(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    space, folder = other.settings.namespace, tmp_path / "place"
    folder.mkdir()
    await store_thought(mind, "one", session_id="shared")
    (sent,) = await exchange(folder, mind, rounds=1)
    place = Place(str(folder), space)
    packed, _ = place.packed("laptop", 1, "", ['{"kind":"odd","id":"x"}\n'])
    await place.put("laptop", 1, packed)
    assert (await other.sync(folder, trust=True)).refused == ["x: there is no kind 'odd'"]
    (folder / space / "tablet").mkdir()
    await store_thought(mind, "two", session_id="shared")
    await mind.sync(folder, trust=True)
    arrival = Arrival(other.graph, ChainKeys(None, {}), space, trusted=True)
    await keep(arrival, {json.dumps({"id": "y"}): "step 3 of the session shared"})

    found = await other.sync_status(folder)
    assert found == await other.sync_status()
    (known,) = found.places
    assert (known.place, known.trusted, known.private, known.written) == (str(folder), True, False, 0)
    assert known.synced_at is not None
    assert (found.waiting, found.waiting_for) == (1, ["step 3 of the session shared"])
    assert {one.replica: (one.read, one.written, one.refused) for one in found.sources} == {
        sent.replica: (1, 2, []),
        "laptop": (1, 1, ["x: there is no kind 'odd'"]),
        "tablet": (0, 0, []),
    }
    assert {one.replica for one in found.sources if one.read_at is None} == {"tablet"}
    await other.sync(folder, trust=True)
    assert [(one.read, one.refused) for one in (await other.sync_status()).sources if one.refused] == [
        (1, ["x: there is no kind 'odd'"])  # nothing newer was read from it
    ]
    ours = await mind.sync_status()
    assert (ours.replica, ours.places[0].written) == (sent.replica, 2)
    folder.rename(tmp_path / "away")
    away = await other.sync_status(folder)
    assert {one.replica: one.written for one in away.sources} == {sent.replica: None, "laptop": None}
    with pytest.raises(NotFound, match="never synchronised"):
        await other.sync_status(tmp_path)


async def test_a_folder_that_is_not_trusted_redacts_nothing_that_no_key_proves(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    text = await store_thought(mind, "The valve opens at 3 bar", session_id="shared")
    await exchange(tmp_path, mind, rounds=1)
    await other.sync(tmp_path)
    await mind.operations["redact_thought"].call({"thought_id": text, "reason": "asked for"})
    await exchange(tmp_path, mind, rounds=1)
    await other.sync(tmp_path)
    kept = await raw(other, "MATCH (t:Thought {id: $id}) RETURN t.content AS text", id=text)
    assert [row["text"] for row in kept] == ["The valve opens at 3 bar"]


async def test_lines_that_wait_survive_a_run_that_ends_while_they_are_stored(
    mind: Mind, other: Mind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await store_thought(mind, "first", session_id="shared")
    await exchange(tmp_path, mind, rounds=1)
    second = await store_thought(mind, "second", session_id="shared")
    (result,) = await exchange(tmp_path, mind, rounds=1)
    place = Place(str(tmp_path), mind.settings.namespace)
    segment = await place.read(result.replica, 2, await place.sha(result.replica, 1) or "")
    assert segment is not None
    (line,) = [one for one in segment.lines if one["kind"] == "thought" and one["id"] == second]
    arrival = Arrival(other.graph, ChainKeys(None, {}), other.settings.namespace, trusted=True)
    await keep(arrival, {json.dumps(line, sort_keys=True, separators=(",", ":")): "step 0"})
    with monkeypatch.context() as patched:
        patched.setattr("legacymind.services.sync.waiting.apply", AsyncMock(side_effect=ConnectionError))
        with pytest.raises(ConnectionError):
            await other.sync(tmp_path, trust=True)
    await other.sync(tmp_path, trust=True)
    found = await raw(other, "MATCH (t:Thought) WHERE t.id IN $ids RETURN t.id AS id", ids=[first, second])
    assert {row["id"] for row in found} == {first, second}


async def test_a_relation_that_was_removed_and_a_solution_that_failed_go_from_both(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    ids = [await store_thought(mind, text, session_id="shared") for text in ("one", "two")]
    related = {"thought_id": ids[1], "target_id": ids[0], "type": "DEPENDS_ON", "own_session_id": "shared"}
    await mind.operations["relate_thought"].call(related)
    outcome = {"thought_id": ids[1], "own_session_id": "shared", "solves": ids[0]}
    await mind.operations["record_outcome"].call({**outcome, "outcome": "success"})
    await exchange(tmp_path, mind, other)
    await same(mind, other)
    links = [link[1] for link in (await state(other))[1]]
    assert {"DEPENDS_ON", "SOLVES"} <= {*links}
    await other.operations["relate_thought"].call({**related, "remove": True})
    await other.operations["record_outcome"].call({**outcome, "outcome": "failure"})
    await exchange(tmp_path, mind, other)
    await same(mind, other)
    links = [link[1] for link in (await state(mind))[1]]
    assert not {"DEPENDS_ON", "SOLVES"} & {*links}
    await mind.operations["relate_thought"].call(related)  # a newer statement wins over the removal
    await exchange(tmp_path, mind, other)
    await same(mind, other)
    assert "DEPENDS_ON" in [link[1] for link in (await state(other))[1]]


async def test_an_entity_that_was_forgotten_stays_with_what_was_stated_later(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    await _ada(mind)
    await exchange(tmp_path, mind, other)
    found = await mind.operations["entity"].call({"name": "Ada"})
    await mind.operations["forget"].call({"id": found.entity.id, "confirm": True})
    kept = next(fact.id for fact in found.observations if "harp" in fact.content)
    await raw(
        other,
        "MATCH (o:Observation {id: $id}) "
        "SET o.stated_at = datetime(), o.changed_at = datetime(), o.noted_at = datetime(), o.replica = null",
        id=kept,
    )
    await exchange(tmp_path, mind, other, rounds=3)
    for each in (mind, other):
        assert await facts(each, "Ada") == ["owns a harp"]
    await same(mind, other)


async def test_a_folder_that_is_not_trusted_forgets_and_merges_nothing(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    for each in (mind, other):
        await each.remember(
            [EntityInput(name="Ada"), EntityInput(name="Ada L.")],
            [ObservationInput(entity="Ada L.", content="lives in Lyon")],
        )
    found = await mind.operations["entity"].call({"name": "Ada L."})
    await mind.operations["forget"].call({"id": found.observations[0].id, "confirm": True})
    await mind.remember([EntityInput(name="Mallory")])
    await mind.operations["merge"].call({"keep": "Ada", "others": ["Ada L.", "Mallory"]})
    await mind.sync(tmp_path)
    result = await other.sync(tmp_path)
    assert (await other.operations["entity"].call({"name": "Ada"})).entity.aliases == []
    assert (result.problems, result.removed) == ([], 0)
    assert await facts(other, "Ada L.") == ["lives in Lyon"]
    assert (await other.operations["entity"].call({"name": "Ada L."})).entity.name == "Ada L."


async def test_ids_of_another_namespace_are_refused_by_their_names(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    thought = await store_thought(mind, "held there", session_id="shared")
    await mind.remember([EntityInput(name="Ada")], [ObservationInput(entity="Ada", content="lives in Lyon")])
    space = mind.settings.namespace
    mine = Mind(mind.settings.changed(namespace=f"{space}-mine"), embedder=mind.vectors.embedder)
    lines = [line.replace(space, f"{space}-mine") async for line in mind.export()]
    file = tmp_path / "moved.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    before = await state(mind)
    result = await mine.import_file(file, trust=True)
    await mine.close()
    assert isinstance(result, Restoration)
    assert await state(mind) == before
    assert len([one for one in result.refused if "another namespace" in one or "hash" in one]) == 3
    assert any(thought in one for one in result.refused)


async def test_a_context_counts_what_other_homes_brought_since_the_latest_session(
    mind: Mind, other: Mind, tmp_path: Path
) -> None:
    await store_thought(mind, "The pump hums.", session_id="before")
    await store_thought(other, "The valve leaks.", session_id="there")
    await _ada(other)
    await exchange(tmp_path, other, mind, rounds=1)
    brought = "synchronisation brought 1 public thoughts and 2 facts, from 1 other homes"
    async with Mind(mind.settings, embedder=FakeEmbedder()) as later:
        read = later.operations["context"].call
        told = await read({"session_id": "now"})
        assert [brought in one for one in told.warnings] == [True]
        await store_thought(mind, "I saw that.", session_id="now")
        assert (await read({"session_id": "now"})).warnings == told.warnings
        assert (await read({"session_id": "next"})).warnings == []
