"""The curator on a real server: a plan, what leaves recall, what stays as it was, and the way back."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.maintenance import CurationResult
from legacymind.services.maintain import curator
from legacymind.services.think.inputs import ThoughtInput
from tests.steps import bare, store_thought, think
from tests.wire import raw

pytestmark = pytest.mark.anyio

WORDS = "amber basket candle dragon engine falcon garden harbour"


async def curate(mind: Mind, *, apply: bool = False, **options: Any) -> CurationResult:
    """Run the curator as if it were a year later."""
    return await run(mind, apply=apply, now=datetime.now(UTC) + timedelta(days=365), **options)


async def run(mind: Mind, **options: Any) -> CurationResult:
    found = await mind.services.curation.run(mind.settings.namespace, **options)
    counts: dict[str, Any] = dict(found.counts)
    action = "apply" if found.apply else "plan"
    return CurationResult(
        namespace=found.namespace, action=action, applied=found.apply, thoughts=found.listed, **counts
    )


async def hot(mind: Mind) -> set[str]:
    rows = await raw(
        mind, "MATCH (t:Thought {namespace: $ns}) WHERE t.hot RETURN t.id AS id", ns=mind.settings.namespace
    )
    return {row["id"] for row in rows}


async def told(mind: Mind) -> dict[str, list[str]]:
    """Three weak thoughts of one session and two of another, a worthless one, and some that are protected."""

    async def store(session: str, *contents: str, significance: float = 0.5, **options: Any) -> list[str]:
        return [
            await store_thought(
                mind, content, session_id=session, significance=significance, hint="build", **options
            )
            for content in contents
        ]

    ids = {
        "weak": await store("kiln", *(f"{WORDS}. The kiln has {n} doors." for n in (1, 2, 3)), tags=["kiln"]),
        "few": await store("oven", "The oven is cold.", "The oven is warm."),
        "private": await store("oven", *(f"My oven {n} is secret." for n in range(3)), is_private=True),
        "worthless": await store("kiln", "hm", significance=0.05),
        "valuable": await store("kiln", "The kiln must never be opened hot.", significance=1.0),
        "pinned": await store("kiln", "I am the keeper of the kiln.", significance=0.0),
        "standing": await store("kiln", "Always answer in German.", significance=0.0),
    }
    await mind.pin_thought(ids["pinned"][0])
    return ids


async def test_a_plan_gives_counts_and_reasons_and_changes_nothing(mind: Mind) -> None:
    ids = await told(mind)
    before = await hot(mind)
    plan = await curate(mind)
    assert not plan.applied
    assert (plan.judged, plan.protected, plan.dumped) == (12, 2, 1)
    assert (plan.crystallised, plan.summaries) == (6, 2)
    assert plan.kept == 5  # the two protected, the valuable one, and two that are too few
    assert plan.kept + plan.crystallised + plan.dumped == plan.judged
    first, *others = plan.thoughts
    assert (first.id, first.verdict, first.text) == (ids["worthless"][0], "dump", "hm")
    assert "salience 0.05" in first.reason
    assert {one.id for one in others} == {*ids["weak"]}  # the private ones are of another session
    seen = await curate(mind, own_session="oven")
    assert {one.text for one in seen.thoughts if one.id in ids["private"]} > {"My oven 0 is secret."}
    assert await hot(mind) == before
    assert (await mind.curate()).judged == 0  # younger than 30 days


async def test_weak_thoughts_become_a_summary_and_everything_is_restored(mind: Mind) -> None:
    ids = await told(mind)
    before = await hot(mind)
    done = await curate(mind, apply=True)
    assert (done.applied, done.crystallised, done.summaries, done.dumped) == (True, 6, 2, 1)
    made = {one.summary_id for one in done.thoughts if one.id in ids["weak"]}
    (summary,) = made
    assert summary is not None
    left = await hot(mind)
    gone = {*ids["weak"], *ids["private"], *ids["worthless"]}
    assert gone.isdisjoint(left)
    assert before - left == gone
    # A thought of its session, in the words of its sources, which it refers to.
    node = await mind.get(summary)
    read = node.thought
    assert read is not None
    assert node.text.startswith("Summary of 3 thoughts:\n- ")
    assert (node.said_by, read.door, read.thought_type, read.mode, read.tags) == (
        "derived, from user",
        "curator",
        "summary",
        "build",
        ["kiln"],
    )
    trail = await mind.walk_trail(summary, types=["REFERENCES"], depth=1)
    assert {step.id for step in trail.steps} >= {*ids["weak"]}
    # Every chain verifies with its new step, and searches find the sources.
    for session in ("kiln", "oven"):
        report = await mind.verify(session)
        assert report.valid
        assert report.complete
    assert {*ids["weak"]} <= {hit.id for hit in (await mind.search(WORDS, limit=20)).hits}
    recalled = {memory.id for memory in (await think(mind, f"{WORDS} kiln", session_id="new")).memories}
    assert summary in recalled
    assert recalled.isdisjoint(gone)
    # The private sources have a private summary.
    rows = await raw(
        mind,
        "MATCH (s:Thought {namespace: $ns, thought_type: 'summary'})-[:REFERENCES]->(t) "
        "RETURN DISTINCT s.is_private AS own, t.is_private AS source",
        ns=mind.settings.namespace,
    )
    assert {(row["own"], row["source"]) for row in rows} == {(False, False), (True, True)}
    assert (await curate(mind, apply=True)).crystallised == 0
    # One thought, the sources of a summary, then the rest.
    assert (await mind.curate("restore", thought_id=ids["worthless"][0])).restored == 1
    assert (await mind.curate("restore", thought_id=summary)).restored == 3
    assert summary not in await hot(mind)
    assert (await mind.curate("restore")).restored == 3
    assert before <= await hot(mind)
    assert (await mind.curate("restore")).restored == 0
    with pytest.raises(NotFound):
        await mind.curate("restore", thought_id="nosuch")


async def test_a_thought_that_is_recalled_or_pinned_meanwhile_stays(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await told(mind)
    embed = mind.vectors.embed

    async def and_pin(*arguments: Any, **options: Any) -> Any:
        await mind.pin_thought(ids["weak"][1])
        return await embed(*arguments, **options)

    monkeypatch.setattr(mind.vectors, "embed", and_pin)
    steps = await raw(
        mind,
        "MATCH (s:Session {namespace: $ns, id: 'kiln'}) RETURN s.head_step AS step",
        ns=mind.settings.namespace,
    )
    done = await curate(mind, apply=True)
    assert (done.crystallised, done.changed_meanwhile) == (3, 3)
    assert {*ids["weak"]} <= await hot(mind)
    report = await mind.verify("kiln")
    assert report.valid
    # The summary went with its transaction.
    assert report.thought_count == steps[0]["step"] + 1


async def test_an_interrupted_run_keeps_what_is_done(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = await told(mind)
    monkeypatch.setattr(curator, "_READ", 1)
    embedded = 0
    embed = mind.vectors.embed

    async def once(*arguments: Any, **options: Any) -> Any:
        nonlocal embedded
        embedded += 1
        if embedded > 1:
            raise KeyboardInterrupt
        return await embed(*arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(mind.vectors, "embed", once)
        with pytest.raises(KeyboardInterrupt):
            await curate(mind, apply=True)
    left = await hot(mind)
    assert {*ids["weak"]}.isdisjoint(left)
    assert {*ids["private"]} <= left
    done = await curate(mind, apply=True)
    assert (done.crystallised, done.summaries, done.dumped) == (3, 1, 0)


@pytest.mark.slow
async def test_a_long_session_becomes_several_summaries_of_3_to_20_thoughts(mind: Mind) -> None:
    texts: list[ThoughtInput] = [
        {"content": f"{WORDS} {n}", "hint": "build", "injection_scale": 0} for n in range(45)
    ]
    await mind.think_batch(texts, session_id="long")
    done = await curate(mind, apply=True)
    assert (done.crystallised, done.summaries) == (45, 3)
    rows = await raw(
        mind,
        "MATCH (s:Thought {namespace: $ns, thought_type: 'summary'}) "
        "RETURN COUNT { (s)-[:REFERENCES]->() } AS n",
        ns=mind.settings.namespace,
    )
    assert sorted(row["n"] for row in rows) == sorted(row["n"] for row in rows if 3 <= row["n"] <= 20)


async def test_a_dump_above_keep_is_refused_and_an_injured_thought_is_restored_redacted(mind: Mind) -> None:
    with pytest.raises(InvalidInput):
        await mind.curate(keep=0.2, dump=0.3)
    own = bare(await think(mind, "hm", significance=0.0, hint="build", session_id="s"))
    assert (await curate(mind, apply=True)).dumped == 1
    await mind.redact_thought(own, "a test")
    assert (await mind.curate("restore")).restored == 1
    assert own not in await hot(mind)


async def test_a_redaction_reaches_the_summary_and_its_other_sources_are_active_again(mind: Mind) -> None:
    ids = await told(mind)
    done = await curate(mind, apply=True)
    (summary,) = {one.summary_id for one in done.thoughts if one.id in ids["weak"]}
    assert summary is not None
    first, *others = ids["weak"]
    await mind.redact_thought(first, "a test")
    for own in (first, summary):
        assert (await mind.get(own)).text == ""
    now = await hot(mind)
    assert {*others} <= now
    assert {first, summary, *ids["private"]}.isdisjoint(now - {first, summary})
    report = await mind.verify("kiln")
    assert (report.valid, report.complete, report.redacted) == (True, True, 2)


async def test_a_redaction_reaches_a_summary_and_every_quotation_of_both(mind: Mind) -> None:
    secret = "The password of the kiln is swordfish."
    ids = [
        await store_thought(mind, text, session_id="kiln", significance=0.5, hint="build")
        for text in (secret, "The password of the kiln is long.", "The password of the kiln is old.")
    ]

    async def asked(session: str) -> str:
        question = "What is the password of the kiln?"
        return bare(await think(mind, question, session_id=session, hint="question"))

    await asked("before")
    done = await curate(mind, apply=True)
    (summary,) = {one.summary_id for one in done.thoughts if one.id in ids}
    await asked("after")

    async def quoting() -> set[str]:
        rows = await raw(
            mind,
            "MATCH (n {namespace: $ns}) WHERE any(name IN keys(n) WHERE toStringOrNull(n[name]) "
            "CONTAINS 'swordfish') RETURN n.id AS id",
            ns=mind.settings.namespace,
        )
        return {row["id"] for row in rows}

    assert await quoting() == {ids[0], summary}
    await mind.redact_thought(ids[0], "a secret", "ada")
    assert await quoting() == set()
    for session in ("kiln", "before", "after"):
        assert (await mind.verify(session)).verdict == "intact"


async def test_an_imported_history_uses_nothing(mind: Mind) -> None:
    old = [
        {
            "kind": "thought",
            "id": f"{mind.settings.namespace}-{n}",
            "content": WORDS,
            "created_at": f"202{n}-05-01",
            "significance": 0.1,
        }
        for n in range(3)
    ]
    header = {"kind": "header", "format": "legacymind", "version": 1}
    await mind.import_lines([json.dumps(line) for line in (header, old[0], old[2], old[1])])
    used = "MATCH (t:Thought {namespace: $ns}) RETURN t.access_count AS count, t.last_accessed.year AS used"
    recalled = "MATCH (:Thought {namespace: $ns})-[r:RECALLS]->() RETURN r.last_accessed.year AS used"
    rows = await raw(mind, used, ns=mind.settings.namespace)
    assert {(row["count"] or 0, row["used"]) for row in rows} == {(0, None)}
    assert {row["used"] for row in await raw(mind, recalled, ns=mind.settings.namespace)} == {2021, 2022}
    plan = await run(mind)  # old by its own times
    assert (plan.judged, plan.dumped) == (3, 3)
    assert (await mind.prune()).thoughts == 3
    await think(mind, WORDS, session_id="now", injection_scale=5)
    rows = await raw(mind, used, ns=mind.settings.namespace)
    assert {row["used"] for row in rows} == {datetime.now(UTC).year, None}


async def test_restoring_takes_summaries_out_of_recall_and_a_second_apply_uses_them_again(mind: Mind) -> None:
    await told(mind)
    before = await hot(mind)
    assert (await curate(mind, apply=True)).summaries == 2
    left = await hot(mind)
    made = "MATCH (s:Thought {namespace: $ns, thought_type: 'summary'})-[r:REFERENCES]->() RETURN s.id AS id"
    first = await raw(mind, made, ns=mind.settings.namespace)
    await mind.curate("restore")
    assert await hot(mind) == before
    # Being restored is a use, so a year passes.
    again = await run(mind, apply=True, now=datetime.now(UTC) + timedelta(days=800))
    assert (again.summaries, again.crystallised) == (2, 6)
    assert await raw(mind, made, ns=mind.settings.namespace) == first
    assert await hot(mind) == left
    assert {one["id"] for one in first} >= {one.summary_id for one in again.thoughts if one.summary_id}
    assert (await mind.verify("kiln")).valid


@pytest.mark.parametrize("restored", ["all", "a summary", "one", "two", "three", "one of each"])
@pytest.mark.slow
async def test_no_apply_after_a_restore_says_a_sentence_twice(mind: Mind, restored: str) -> None:
    texts: list[ThoughtInput] = [
        {"content": f"{WORDS} {n}. Door {n} is red.", "hint": "build", "injection_scale": 0}
        for n in range(24)
    ]
    await mind.think_batch(texts, session_id="long")
    left = await curate(mind, apply=True)
    sources: dict[str, list[str]] = {}
    for one in left.thoughts:
        if one.summary_id is not None:
            sources.setdefault(one.summary_id, []).append(one.id)
    summary, own = max(sources.items(), key=lambda item: len(item[1]))
    before = await hot(mind)
    some = {
        "one": own[:1],
        "two": own[:2],
        "three": own[:3],
        "one of each": [ids[0] for ids in sources.values()],
    }
    for id in {"all": [None], "a summary": [summary], **some}[restored]:
        await mind.curate("restore", thought_id=id)
    await run(mind, apply=True, now=datetime.now(UTC) + timedelta(days=800))
    assert await hot(mind) == before
    made = "MATCH (s:Thought {namespace: $ns, thought_type: 'summary', hot: true}) RETURN s.content AS text"
    rows = await raw(mind, made, ns=mind.settings.namespace)
    lines = [line for row in rows for line in row["text"].splitlines()[1:]]
    assert len(lines) == len(set(lines)) > 0


async def test_a_summary_says_who_spoke(mind: Mind) -> None:
    for number in (1, 2, 3):
        await store_thought(mind, f"{WORDS}. Door {number}.", session_id="kiln", author="Ada", hint="build")
    plan = await curate(mind)
    done = await curate(mind, apply=True)
    assert (done.summaries, done.crystallised, done.kept) == (1, 3, 0)
    assert (plan.summaries, plan.crystallised, plan.kept) == (1, 3, 0)
    assert {one.summary_id for one in plan.thoughts} == {None}
    made = "MATCH (s:Thought {namespace: $ns, thought_type: 'summary'}) RETURN s.content AS text"
    ((row),) = await raw(mind, made, ns=mind.settings.namespace)
    assert all(line.startswith("- Ada: ") for line in row["text"].splitlines()[1:])
