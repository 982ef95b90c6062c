"""Forgetting: the plan, what goes, what stays, and the certificate."""

import hashlib
import json
from typing import Any

import pytest

from legacymind.doors.answer import jsonable
from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.nodes import ForgetResult
from legacymind.text import fulltext, keys
from tests.steps import bare, remember, remember_entity, search, store_thought, think
from tests.wire import db_hits, noted_statements, one, raw, text_indexed

pytestmark = pytest.mark.anyio

NAMED = "MATCH (n) WHERE n.namespace = $ns RETURN collect(properties(n)) AS all"
NOTED = "MATCH (n)-[r]->() WHERE n.namespace = $ns RETURN collect(properties(r)) AS all"


async def forget(mind: Mind, **options: Any) -> ForgetResult:
    return await mind.operations["forget"].call(options)


def counts(result: ForgetResult) -> dict[str, int]:
    return {each.kind: each.count for each in result.counts}


async def stored(mind: Mind) -> str:
    """Every property of every node and relationship of the namespace, but vectors."""
    found = [await one(mind, text, ns=mind.settings.namespace) for text in (NAMED, NOTED)]
    return json.dumps(found, default=str, ensure_ascii=False).casefold()


async def marit(mind: Mind) -> dict[str, str]:
    """A memory that knows Marit in every place where a text can be, and where forgetting looks."""
    known = await remember(
        mind,
        entities=[
            {"name": "Marit", "entity_type": "person", "description": "She paints"},
            {"name": "M. Solheim", "entity_type": "person"},
            {
                "name": "Studio",
                "description": "The studio of Marit, see key_of_marit.txt",
                "data": {"by": "Marit"},
            },
        ],
        observations=[
            {"entity": "Marit", "content": "She likes cobalt"},
            {"entity": "Studio", "content": "Marit has the key"},
            {"entity": "Studio", "content": "It has two windows"},
            {"entity": "Studio", "content": "Its rent is paid", "source": "a letter of Marit"},
        ],
        relations=[
            {"source_entity": "Marit", "type": "WORKS_IN", "target_entity": "Studio"},
            {"source_entity": "Studio", "type": "HAS", "target_entity": "Kiln", "source": "a letter"},
        ],
    )
    await mind.operations["merge"].call({"keep": known.entities[0].id, "others": [known.entities[1].id]})
    ids = {
        "says": await store_thought(mind, "Did Marit order cobalt?", session_id="one"),
        "alias": await store_thought(mind, "The invoice is for m. solheim.", session_id="one"),
        "tests": await store_thought(mind, "Is it hers?", hypothesis="Marit owns it", session_id="two"),
        "other": await store_thought(mind, "The maritime museum is closed.", session_id="two"),
        "author": await store_thought(mind, "The easel is broken.", session_id="two", author="Marit"),
    }
    recalling = await think(mind, "Marit, Studio, cobalt", injection_scale=3, session_id="three")
    quoting = await think(mind, "Is the studio cold today?", injection_scale=3, session_id="three")
    await mind.relate_thought(ids["other"], ids["says"], note="as Marit said")
    return ids | {"recalling": bare(recalling), "quoting": bare(quoting)}


async def test_a_person_is_planned_and_then_gone_from_every_text(mind: Mind) -> None:
    await marit(mind)
    before = await stored(mind)
    plan = await forget(mind, subject=" MARIT ")
    assert await stored(mind) == before
    assert not plan.done
    assert counts(plan) == {
        "thought": 4,
        "entity": 2,
        "observation": 3,
        "relation": 1,
        "description": 1,
    }
    assert any("Did Marit order cobalt?" in text for each in plan.counts for text in each.examples)

    done = await forget(mind, subject="Marit", confirm=True)
    assert done.done
    assert counts(done) == counts(plan)
    assert "marit" not in str(jsonable(done)).casefold()
    left = (await stored(mind)).replace('"author": "marit"', "").replace("maritime", "")
    assert "marit" not in left
    assert "solheim" not in left
    assert "cobalt" not in left
    for text in ("two windows", "a letter", "easel", "is the studio cold"):
        assert text in left
    for session in ("one", "two", "three"):
        assert (await mind.verify(session)).verdict == "intact"

    await text_indexed(mind)
    for method in ("graph", "vector", "text"):
        found = await search(mind, "Marit Solheim cobalt", method=method)
        assert "marit" not in str(jsonable(found.hits)).casefold().replace("maritime", "").replace(
            "'author': 'marit'", ""
        )
    again = await forget(mind, subject="Marit", confirm=True)
    assert again.counts == again.remains == []


async def test_a_plan_and_a_certificate_name_what_has_only_a_part_of_the_name(mind: Mind) -> None:
    await store_thought(mind, "Orla Quist wants the report.")
    part = await store_thought(mind, "Orla called twice.")
    await store_thought(mind, "The orlando office is closed.")
    await text_indexed(mind)
    for confirm in (False, True):
        found = await mind.forget(subject="Orla Quist", confirm=confirm)
        told = [sentence for sentence in found.stays if "part of the name" in sentence]
        assert told == [
            f"1 that have only a part of the name: {part}: Orla called twice.. Forget each that is meant."
        ]
    assert (await mind.get(part)).text == "Orla called twice."


async def test_a_person_is_gone_from_the_record_of_a_merge(mind: Mind) -> None:
    known = await remember(
        mind,
        entities=[
            {"name": "Studio"},
            {"name": "Atelier", "description": "Marit's", "data": '{"by": "Marit"}'},
        ],
    )
    merge = {"keep": known.entities[0].id, "others": [known.entities[1].id]}
    await mind.operations["merge"].call({**merge, "reason": "as Marit said", "author": "Marit"})
    plan = await forget(mind, subject="Marit")
    assert counts(plan) == {"description": 2}  # of the merged one, and what the kept one has from it
    assert counts(await forget(mind, subject="Marit", confirm=True)) == counts(plan)
    assert "marit" not in await stored(mind)
    assert (await forget(mind, subject="Marit", confirm=True)).counts == []


async def test_a_name_of_words_that_full_text_drops_is_forgotten(mind: Mind) -> None:
    await remember(mind, observations=[{"entity": "Will", "content": "He paints"}])
    await store_thought(mind, "Ask Will for the key", session_id="one")
    await store_thought(mind, "Who has it?", hypothesis="Will has it", session_id="one")
    await store_thought(mind, "The willow is old", session_id="one")
    done = await forget(mind, subject="will", confirm=True)
    assert counts(done) == {"thought": 2, "entity": 1, "observation": 1}
    assert (await mind.verify("one")).verdict == "intact"


async def test_a_large_memory_is_read_by_its_indexes(mind: Mind) -> None:
    await store_thought(mind, "Did Marit order cobalt?", session_id="one")
    await store_thought(mind, "Marit has the key", session_id="two")
    await raw(
        mind,
        "UNWIND range(1, 5000) AS n CREATE (t:Thought {id: $ns + n, namespace: $ns, session_id: 'many', "
        "content: 'The kiln ' + n, is_private: false, recorded_at: datetime(), "
        "ns_key: $key, kind: 'thought'})",
        ns=mind.settings.namespace,
        key=fulltext.namespace_key(mind.settings.namespace),
    )
    await text_indexed(mind)
    with noted_statements() as statements:
        done = await forget(mind, subject="Marit", confirm=True)
    assert counts(done) == {"thought": 2}
    assert len(statements) <= 10, statements
    assert await db_hits(mind, "forget", {"subject": "Marit"}) < 500


@pytest.mark.parametrize("given", [{"reason": "Marit asked"}, {"author": "Marit"}])
async def test_a_record_that_would_name_what_is_forgotten_is_refused(
    mind: Mind, given: dict[str, str]
) -> None:
    await store_thought(mind, "Marit paints.", session_id="one")
    with pytest.raises(InvalidInput, match="names what is to be forgotten"):
        await forget(mind, subject="Marit", confirm=True, **given)
    assert "marit paints" in await stored(mind)


@pytest.mark.parametrize("field", ["author", "session_id", "action_id", "chain_id", "context_id", "tags"])
async def test_what_a_hash_covers_is_named_as_kept(mind: Mind, field: str) -> None:
    value: Any = ["marit"] if field == "tags" else "marit"
    thought = await store_thought(mind, "The easel is broken.", **{"session_id": "two", field: value})
    for chosen in ({"subject": "Marit"}, {"id": thought}, {"session_id": "marit"}):
        if "session_id" in chosen and field != "session_id":
            continue
        plan = await forget(mind, **chosen)
        word = {"tags": "tag", "chain_id": "label", "context_id": "label"}.get(
            field, field.removesuffix("_id")
        )
        assert any(word in text.lower() and "hash" in text for text in plan.stays), chosen
    await forget(mind, subject="Marit", confirm=True)
    (kept,) = await raw(mind, "MATCH (t:Thought {id: $id}) RETURN properties(t) AS t", id=thought)
    assert kept["t"][field] == value
    await mind.delete_namespace(mind.settings.namespace, confirm=True)
    assert "marit" not in await stored(mind)


async def test_the_certificate_has_digests_that_others_can_compute(mind: Mind) -> None:
    thought = await store_thought(mind, "The code is 1234")
    digest = await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.content_digest", id=thought)
    done = await forget(mind, id=f"thoughts:{thought}", confirm=True)
    (gone,) = done.counts
    assert gone.sha256 == hashlib.sha256(f"{thought} {digest}\n".encode()).hexdigest()
    assert {each.where for each in done.remains} >= {"Neo4j's transaction logs"}
    assert (await mind.verify("session")).verdict == "intact"


async def test_a_session_is_forgotten_with_its_private_thoughts(mind: Mind) -> None:
    private = await store_thought(mind, "The safe is behind the clock", session_id="a", is_private=True)
    await store_thought(mind, "It is heavy", session_id="a")
    await store_thought(mind, "The clock stopped", session_id="b")
    assert counts(await forget(mind, session_id="a")) == {"thought": 2}
    await mind.redact_thought(private, "first", own_session_id="a")  # as an interrupted call had done
    assert counts(await forget(mind, session_id="a", confirm=True)) == {"thought": 1}
    assert (await forget(mind, session_id="a")).counts == []
    left = await stored(mind)
    assert "safe" not in left
    assert "heavy" not in left
    assert "the clock stopped" in left
    assert (await mind.verify("a")).verdict == "intact"


async def test_a_namespace_is_deleted_whole_and_no_other(mind: Mind) -> None:
    await marit(mind)
    space, other = mind.settings.namespace, f"{mind.settings.namespace}-other"
    await store_thought(mind, "Marit stays here", namespace=other)
    plan = await mind.delete_namespace(space)
    done = await mind.delete_namespace(space, confirm=True)
    assert counts(done) == counts(plan) == {"thought": 7, "entity": 3, "observation": 4}
    assert await stored(mind) == "[[], []]"
    assert (await search(mind, "Marit", namespace=other)).hits != []
    await store_thought(mind, "A new beginning", session_id="one")
    assert (await mind.verify("one")).thought_count == 1
    await mind.delete_namespace(other, confirm=True)


async def test_private_thoughts_of_other_sessions_are_neither_counted_nor_changed(mind: Mind) -> None:
    secret = await store_thought(mind, "Marit is ill", session_id="hers", is_private=True)
    for own in ("", "other"):
        done = await forget(mind, subject="Marit", confirm=True, **({"own_session_id": own} if own else {}))
        assert done.counts == []
        with pytest.raises(NotFound):
            await forget(mind, id=secret, confirm=True)
    done = await forget(mind, subject="Marit", confirm=True, own_session_id="hers")
    assert counts(done) == {"thought": 1}


async def test_an_entity_goes_with_its_facts_its_relations(mind: Mind) -> None:
    own = await remember_entity(mind, "The blue kiln", description="cracks every pot in its first firing")
    await remember(
        mind,
        observations=[{"entity": "The blue kiln", "content": "The blue kiln burns gas"}],
        relations=[{"source_entity": "The blue kiln", "type": "STANDS_IN", "target_entity": "Shed"}],
    )
    recalling = await think(mind, "The blue kiln cracks every pot in its first firing", injection_scale=3)
    assert "The blue kiln" in (recalling.enriched_content or "")
    done = await forget(mind, id=own, confirm=True)
    assert counts(done) == {"entity": 1, "observation": 1, "relation": 1}
    with pytest.raises(NotFound):
        await forget(mind, id=own)
    assert (await mind.verify("session")).verdict == "intact"


@pytest.mark.parametrize("name", ["Strauß", "STRAUSS", "Émile Ibsen", "王", "C++"])
async def test_a_name_in_another_spelling_is_forgotten_too(mind: Mind, name: str) -> None:
    for text in (name, name.upper(), name.lower(), name.replace("SS", "ß")):
        await store_thought(mind, f"Ask {text} today")
    assert counts(await forget(mind, subject=name, confirm=True)) == {"thought": 4}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"id": "x", "subject": "y"},
        {"session_id": "x", "subject": "y"},
        {"subject": " "},
    ],
)
async def test_a_call_that_does_not_say_one_thing_is_refused(mind: Mind, given: dict[str, Any]) -> None:
    thought = await store_thought(mind, "It stays")
    for confirm in (False, True):
        with pytest.raises(InvalidInput):
            await forget(mind, **given, confirm=confirm)
    assert (await mind.get(thought)).text == "It stays"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("ada", "Ask ADA's sister", True),
        ("ada", "ada@example.org", True),
        ("ada", "ada_lovelace", True),
        ("ada", "Canada and Adam", False),
        ("ada lovelace", "Ada\n Lovelace", True),
        ("c++", "C++ and C", True),
        ("王", "王さんは", True),
        ("jürgen", "JÜRGEN", True),
        ("ada", f"{'word ' * 9_000}Ada", True),
    ],
)
def test_a_text_says_a_name(name: str, text: str, said: bool) -> None:
    assert keys.says(keys.normalised(name), text) is said
