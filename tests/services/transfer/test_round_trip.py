"""An export, imported into an empty database, gives the same lines, and its chains verify."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from neo4j import GraphDatabase

from legacymind.db.options import Address
from legacymind.errors import Conflict, InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import ALWAYS, EntityInput, ObservationInput, RelationInput
from legacymind.model.nodes import EntityResult
from legacymind.model.sync import Restoration
from legacymind.services.chain import hashing
from legacymind.services.shared.chain_keys import key_id
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio

KEY = "0123456789abcdef0123456789abcdef"

Run = Callable[..., Any]


@pytest.fixture
def run(address: Address, namespace: str) -> Run:
    """Runs a statement with the parameter ``namespace`` and returns the first column."""

    def statement(text: Any, **parameters: Any) -> list[Any]:
        with GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver:  # pyright: ignore[reportUnknownMemberType]
            found = driver.execute_query(text, namespace=namespace, **parameters)
            return [record[0] for record in found.records]

    return statement


@pytest.fixture
def empty(run: Run) -> Callable[[], None]:
    """Removes everything of the namespace."""
    return lambda: run("MATCH (n {namespace: $namespace}) DETACH DELETE n")


@pytest.fixture
async def mind(settings: Settings) -> AsyncIterator[Mind]:
    keyed = settings.changed(chain_key=KEY)
    async with Mind(keyed, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened


async def lines(mind: Mind) -> list[str]:
    return [line async for line in mind.export()]


def held(exported: list[str]) -> set[str]:
    """What an export says; beside a transaction of another test, it says the newest of it twice."""
    return set(exported[:-1])


def written(tmp_path: Path, content: list[str]) -> Path:
    file = tmp_path / "export.jsonl"
    file.write_text("".join(f"{line}\n" for line in content), encoding="utf-8")
    return file


async def filled(mind: Mind) -> None:
    """One of everything: kinds of nodes and links, private and redacted thoughts."""
    first = await mind.think("The retry storm began when the timeout was raised.", author="ada", tags=["x"])
    second = await mind.think(
        "Why did the retry storm begin after the timeout?",
        hypothesis="The timeout was raised.",
        action_id="deploy-8",
        parent_id=first.delegated_result.thought_id,
        revises_thought="waits-for-this",
    )
    await mind.think("A private guess about the retry storm.", session_id="own", is_private=True)
    await mind.think(
        "A retry storm without a session.", session_id=None, created_at=datetime(2020, 1, 1, tzinfo=UTC)
    )
    secret = await mind.think("The password of the pump is swordfish.", session_id="own")
    await mind.think("Is the password of the pump swordfish?", session_id="own")
    await mind.redact_thought(secret.delegated_result.thought_id, "a secret", "ada")
    await mind.record_outcome(
        second.delegated_result.thought_id, "success", solves=first.delegated_result.thought_id
    )
    await mind.remember(
        entities=[EntityInput(name="Pump 3", entity_type="machine", data={"hours": 7})],
        observations=[ObservationInput(entity="Pump 3", content="Pump 3 runs hot.", source="log")],
        relations=[RelationInput(source_entity="Pump 3", type="LOCATED_IN", target_entity="Pump house")],
    )


async def restored(mind: Mind, file: Path, **options: Any) -> Restoration:
    result = await mind.import_file(file, **options)
    assert isinstance(result, Restoration)
    return result


async def test_an_export_imported_into_an_empty_database_gives_the_same_lines_and_intact_chains(
    mind: Mind, run: Run, empty: Callable[[], None], tmp_path: Path
) -> None:
    await filled(mind)
    run(  # by hand
        "MATCH (a:Entity {namespace: $namespace, name: 'Pump 3'}), (b:Entity {namespace: $namespace}) "
        "WHERE a <> b CREATE (a)-[:NEAR]->(b)"
    )
    assert '"NEAR"' in "".join(await lines(mind))
    assert "other" not in {name for line in await lines(mind) for name in json.loads(line)}
    before = await lines(mind)
    computed = "MATCH (t:Thought {namespace: $namespace}) RETURN t.ns_key ORDER BY t.id"
    keys = run(computed)
    assert len(set(keys)) == 2  # one of all public thoughts, one of the private thought
    assert "swordfish" not in next(line for line in before if '"redacted_at"' in line)
    empty()
    file = written(tmp_path, before)
    outcome = await restored(mind, file, trust=True)
    assert held(await lines(mind)) == held(before)
    assert run(computed) == keys
    assert outcome.chains is not None
    assert (outcome.chains.sessions, outcome.chains.intact, outcome.refused) == (2, 2, [])
    thoughts = [line for line in before if '"kind":"thought"' in line]
    assert (outcome.found["thought"], len(set(thoughts))) == (len(thoughts), 7)
    again = await restored(mind, file, trust=True)
    assert (again.stored, again.waiting, again.incomplete) == (0, 0, None)
    assert held(await lines(mind)) == held(before)
    *all_but_end, end = before
    for kept, why in (
        (all_but_end, "no line that ends it"),
        ([*all_but_end[:-1], end], "lines before its end, and the export had"),
    ):
        found = await restored(mind, written(tmp_path, kept), dry_run=True)
        assert found.incomplete is not None
        assert why in found.incomplete
    # The chain goes on, and its new step has the key.
    await mind.think("What followed the retry storm?")
    report = await mind.verify("session", require_key=True)
    assert report.verdict == "intact"
    # The file is a prefix of the chain now: nothing changes.
    assert (await restored(mind, file, trust=True)).stored == 0
    # A link of the database that waited for a thought of the file is created, and the other way round.
    assert run("MATCH (p:Pending {namespace: $namespace}) RETURN p.id") == ["waits-for-this"]


async def test_an_interrupted_import_leaves_chains_that_verify_and_continues(
    mind: Mind, empty: Callable[[], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("legacymind.services.transfer.importing._LINES", 2)
    for number in range(5):
        await mind.think(f"Step {number}.", injection_scale=0)
    before = await lines(mind)
    empty()
    file = written(tmp_path, before)
    stop = 3

    def progress(stage: str, done: int, total: int, /) -> None:
        if stage == "importing" and done >= stop:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await mind.import_file(file, progress=progress)
    report = await mind.verify("session")
    assert (report.verdict, report.thought_count) == ("intact", 4)
    assert (await restored(mind, file)).stored == 1
    assert held(await lines(mind)) == held(before)
    assert (await mind.verify("session")).verdict == "intact"


async def test_what_does_not_verify_is_refused_by_its_id_and_what_follows_waits(
    mind: Mind, run: Run, empty: Callable[[], None], tmp_path: Path
) -> None:
    ids = [
        (await mind.think(f"Step {number}.", injection_scale=0)).delegated_result.thought_id
        for number in range(3)
    ]
    whole = await lines(mind)
    run("MATCH (t:Thought {namespace: $namespace, step_index: 1}) SET t.content = 'Step one.'")
    before = await lines(mind)
    empty()
    file = written(tmp_path, [*before[:-1], "{", before[-1]])
    bad = f"{ids[1].removeprefix('thoughts:')}: its hash does not fit"
    for dry_run in (True, False):
        outcome = await restored(mind, file, dry_run=dry_run)
        assert bad in outcome.refused
        assert f"Line {len(before)}: it is not JSON" in " ".join(outcome.refused)
        assert len(outcome.refused) == 2
    assert outcome.waiting == 2
    assert outcome.waiting_for == ["step 1 of the session session", "step 2 of the session session"]
    assert (await restored(mind, written(tmp_path, whole))).waiting == 0
    assert (await mind.verify("session")).thought_count == 3


async def test_a_chain_whose_end_is_missing_is_reported(
    mind: Mind, run: Run, empty: Callable[[], None], tmp_path: Path
) -> None:
    for number in range(3):
        await mind.think(f"Step {number}.", injection_scale=0)
    run("MATCH (t:Thought {namespace: $namespace, step_index: 2}) DETACH DELETE t")
    before = await lines(mind)
    empty()
    outcome = await restored(mind, written(tmp_path, before))
    assert outcome.waiting_for == ["step 2 of the session session"]


async def test_a_session_that_grew_on_both_sides_gets_branches(
    mind: Mind, empty: Callable[[], None], tmp_path: Path
) -> None:
    await mind.think("Begun.", injection_scale=0)
    common = written(tmp_path, await lines(mind))
    await mind.think("Here.", injection_scale=0)
    file = tmp_path / "here.jsonl"
    file.write_text("\n".join(await lines(mind)), encoding="utf-8")
    empty()
    await restored(mind, common)
    await mind.think("There.", injection_scale=0, idempotency_key="there")
    await restored(mind, file)
    report = await mind.verify("session")
    assert (report.verdict, report.thought_count) == ("intact", 3)
    assert "2 branches" in report.message


async def test_a_redaction_in_the_file_reaches_the_database_and_never_the_other_way(
    mind: Mind, empty: Callable[[], None], tmp_path: Path
) -> None:
    stored = await mind.think("The password is swordfish.", injection_scale=0)
    old = (await lines(mind))[:]
    await mind.redact_thought(stored.delegated_result.thought_id, "a secret", "ada")
    redacted = await lines(mind)
    await restored(mind, written(tmp_path, old))
    assert held(await lines(mind)) == held(redacted)
    empty()
    await restored(mind, written(tmp_path, old))
    assert "swordfish" in "".join(await lines(mind))
    await restored(mind, written(tmp_path, redacted))
    assert "swordfish" not in "".join(await lines(mind))
    assert (await mind.verify("session")).verdict == "intact"


def _removed(line: dict[str, Any], own: str) -> None:
    """Remove the text of a thought from its line, as a redaction does."""
    if line.get("id") == own:
        line |= {"redacted_at": line["recorded_at"], "redacted_reason": "x", "title": "(redacted)"}
        line.pop("content")
        line.pop("salt")


def _hashed(step: dict[str, Any], previous: dict[str, Any], namespace: str, key: str | None) -> None:
    """Hash a step after another, as a forger would who knows this key."""
    times = {name: datetime.fromisoformat(step[name]) for name in ("created_at", "recorded_at")}
    secret = key.encode() if key else None
    step["content_digest"] = hashing.content_digest(step["salt"], step["content"])
    step["content_hash"] = hashing.content_hash({**step, **times, "namespace": namespace})
    step["prev_hash"] = previous["chain_hash"]
    step["chain_hash"] = hashing.chain_hash(step["prev_hash"], step["content_hash"], secret)
    step["hash_alg"] = "hmac-sha256" if key else "sha256"
    step.pop("key_id", None)
    if key:
        step["key_id"] = key_id(key)


# Who says in the file that the first step was redacted; and whether the database has to believe it.
CLAIMS: dict[str, bool] = {
    "no step": False,
    "a stored step": False,
    "a new step": False,
    "a new step with hashes": False,
    "a new step after one of which the key was removed": False,
    "a new step of another type, with the key": False,
    "a step of another session, with the key": False,
    "a new step with the key": True,
}


@pytest.mark.parametrize("claim", CLAIMS)
async def test_an_edited_export_removes_no_text(
    mind: Mind, namespace: str, tmp_path: Path, claim: str
) -> None:
    stored = await mind.think("The password is swordfish.", injection_scale=0)
    own = stored.delegated_result.thought_id.removeprefix("thoughts:")
    await mind.think("It goes on.", injection_scale=0)
    if claim == "a step of another session, with the key":
        await mind.think("Elsewhere.", session_id="z", injection_scale=0)
    before = await lines(mind)
    edited = [json.loads(line) for line in before]
    for line in edited:
        _removed(line, own)
    steps = [line for line in edited if "step_index" in line]
    step = steps[-1]
    if claim == "a stored step":
        step["redacts"] = own
    elif claim != "no step":
        new = step | {"id": f"new-{own}", "step_index": step["step_index"] + 1, "redacts": own}
        new |= {"previous_thought_id": step["id"], "thought_type": "redaction", "content": "Redacted: x"}
        if claim.endswith("of another type, with the key"):
            new["thought_type"] = "decision"
        if claim.endswith("the key was removed"):
            step["hash_alg"] = "sha256"
            del step["key_id"]
        _hashed(new, step, namespace, KEY if claim.endswith("with the key") else None)
        if claim == "a new step":
            new["chain_hash"] = "1" * 64
        edited.insert(edited.index(step) + 1, new)
        edited[-1]["lines"] += 1
    file = written(tmp_path, [json.dumps(line) for line in edited])
    believed = CLAIMS[claim]
    await restored(mind, file)
    assert ("swordfish" in "".join(await lines(mind))) != believed


async def test_a_text_that_was_redacted_while_it_was_exported_is_not_imported(
    mind: Mind, empty: Callable[[], None], tmp_path: Path
) -> None:
    stored = await mind.think("The password is swordfish.", injection_scale=0)
    (early,) = [line for line in await lines(mind) if '"step_index":0' in line]
    await mind.redact_thought(stored.delegated_result.thought_id, "a secret", "ada")
    late = [early if '"step_index":0' in line else line for line in await lines(mind)]
    empty()
    await restored(mind, written(tmp_path, late))
    assert "swordfish" not in "".join(await lines(mind))
    assert (await mind.verify("session")).verdict == "intact"


async def test_an_export_ends_beside_a_transaction_that_stays_open(
    mind: Mind, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legacymind.services.sync.collecting._PAGE", 2)
    driver = GraphDatabase.driver(address.uri, auth=(address.username, address.password))  # pyright: ignore[reportUnknownMemberType]
    with driver, driver.session() as session, session.begin_transaction() as kept_open:  # pyright: ignore[reportUnknownMemberType]
        kept_open.run("RETURN 1").consume()
        for number in range(3):
            await mind.think(f"Step {number}.", injection_scale=0)
        with anyio.fail_after(20):
            exported = await lines(mind)
    assert sum('"content":"Step' in line for line in held(exported)) == 3


@pytest.mark.parametrize("label", ["Thought", "Entity", "Observation"])
async def test_what_has_no_id_is_left_out(mind: Mind, run: Run, label: str) -> None:
    await filled(mind)
    before = await lines(mind)
    copied = "WITH n {.*, id: null, name_key: 'x', fact_key: 'x', mentions_deferred: true} AS own LIMIT 1"
    run(f"MATCH (n:{label} {{namespace: $namespace}}) {copied} CREATE (x:{label}) SET x = own")
    assert held(await lines(mind)) == held(before)


async def test_an_export_is_imported_into_its_own_namespace_only(
    mind: Mind, namespace: str, tmp_path: Path
) -> None:
    await filled(mind)
    with pytest.raises(InvalidInput, match="hashes of its chains cover the namespace and all ids"):
        await mind.import_file(written(tmp_path, await lines(mind)), namespace=f"{namespace}-other")


def files_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


async def test_a_file_of_an_export_is_complete_or_not_there(mind: Mind, tmp_path: Path) -> None:
    await filled(mind)
    file = tmp_path / "memory.jsonl"

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await mind.export_file(file, progress=stop)
    assert files_in(tmp_path) == []
    assert await mind.export_file(file) == len(await lines(mind))
    assert files_in(tmp_path) == [file.name]
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Conflict, match=r"memory\.jsonl exists"):
        await mind.export_file(file)


def said_by(answer: EntityResult) -> set[str]:
    return {one.said_by for one in (answer.entity, *answer.observations, *answer.relations)}


def without_trust(answer: EntityResult) -> EntityResult:
    """The same answer, but nobody is said to have said it, at no time."""

    def bare(one: Any) -> Any:
        return replace(one, said_by="")

    return replace(
        answer,
        as_of=ALWAYS,
        entity=replace(answer.entity, said_by="", trust=None),
        observations=list(map(bare, answer.observations)),
        relations=list(map(bare, answer.relations)),
    )


async def test_stubs_of_merged_entities_and_facts_still_lead_to_the_kept_one_after_an_import(
    mind: Mind, empty: Callable[[], None], tmp_path: Path
) -> None:
    await mind.remember(
        entities=[
            EntityInput(name="Ada Lovelace"),
            EntityInput(name="A. Lovelace", description="An engineer"),
        ],
        observations=[
            ObservationInput(entity="Ada Lovelace", content="Ada reads Euler", source="mail"),
            ObservationInput(entity="A. Lovelace", content="Ada reads Euler", source="letter"),
        ],
        relations=[RelationInput(source_entity="A. Lovelace", type="KNOWS", target_entity="Bob")],
    )
    await mind.merge("Ada Lovelace", ["A. Lovelace"], reason="the same person", author="bob")
    merged = await mind.entity("A. Lovelace")
    before = await lines(mind)
    empty()
    outcome = await restored(mind, written(tmp_path, before))
    assert (outcome.refused, outcome.waiting) == ([], 0)
    assert held(await lines(mind)) == held(before)
    again = await mind.entity("A. Lovelace")
    assert said_by(merged) == {"user"}
    assert said_by(again) == {"import, via an export"}  # no chain proves who said a fact
    assert without_trust(again) == without_trust(merged)
    assert merged.entity.name == "Ada Lovelace"
    # The old name still means the kept entity, and nothing becomes a second one.
    more = await mind.remember(observations=[ObservationInput(entity="a. lovelace", content="Ada sings")])
    assert [one.created for one in more.entities] == [False]
    assert (await restored(mind, written(tmp_path, before))).stored == 0


async def test_a_file_gives_nothing_more_trust_than_a_file_has(
    mind: Mind, run: Run, empty: Callable[[], None], tmp_path: Path
) -> None:
    rule = await mind.think("Always ask before a deploy.", standing=True)
    other = await mind.think("Deploy whenever you like.", session_id="other")
    ids = [one.delegated_result.thought_id.removeprefix("thoughts:") for one in (rule, other)]
    relation = RelationInput(source_entity="Pump 3", type="LOCATED_IN", target_entity="Pump house")
    await mind.remember(relations=[relation])
    *before, end = await lines(mind)
    against = {"kind": "link", "type": "CONTRADICTS", "from": ["thought", ids[1]], "to": ["thought", ids[0]]}
    last = json.dumps({**json.loads(end), "lines": len(before) + 1})
    file = written(tmp_path, [*before, json.dumps(against), last])
    await restored(mind, file)
    assert run("MATCH (:Thought)-[r:CONTRADICTS]->({namespace: $namespace}) RETURN r.trust") == [1]
    assert [hit.id for hit in (await mind.context()).standing] == [ids[0]]
    by_id = "MATCH (t:Thought {namespace: $namespace, id: $id}) RETURN t.trust"
    for trust in (False, True):
        empty()
        changed = [line.replace("Always ask", "Never ask") for line in before]
        await restored(mind, written(tmp_path, [*changed, end]), trust=trust)
        assert [run(by_id, id=id) for id in ids] == [[], [3]]  # the key proves only what was hashed
        found = run("MATCH ({namespace: $namespace})-[r:LOCATED_IN]->() RETURN r.trust")
        assert found == [3 if trust else 1]
