"""Graph-ranked search on a real index: the effect of each signal, the order over pages, and the cost."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.base import Hit, RankParts, SearchResult
from legacymind.settings import Settings
from legacymind.text.fulltext import namespace_key, private_key
from tests.steps import own_namespace
from tests.wire import Wire, raw, text_indexed

pytestmark = pytest.mark.anyio

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def search(mind: Mind, query: str | None, **options: Any) -> SearchResult:
    return await mind.operations["search_thoughts"].call({"query": query, "limit": 10, **options})


async def say(mind: Mind, *turns: tuple[str, str], session: str = "talk", day: int = 0) -> list[str]:
    """Store thoughts of one session, in order; returns their ids."""
    ids: list[str] = []
    for number, (author, content) in enumerate(turns):
        result = await mind.operations["think"].call(
            {"content": content, "author": author, "session_id": session, "injection_scale": 0}
            | {"created_at": START + timedelta(days=day, minutes=number)}
        )
        ids.append(result.delegated_result.thought_id)
    return ids


@pytest.fixture(scope="module")
async def talk(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Two conversations and thoughts about other topics. Shared by the module: the tests only read."""
    async with own_namespace(engine_settings, "session") as mind:
        await talked(mind)
        yield mind


async def talked(mind: Mind) -> None:
    await say(
        mind,
        ("Ada", "the copper kettle stands on the stove"),
        ("Grace", "which tea do you drink?"),
        ("Ada", "green leaves from the mountain, since last winter"),
        ("Grace", "how nice"),
    )
    await say(
        mind,
        ("Grace", "the copper kettle of Ada is old"),
        ("Ada", "the copper wire is new"),
        session="second",
        day=60,
    )
    await say(mind, *[("Ada", f"numbers {n} and {n + 1} follow each other") for n in range(6)], session="x")
    await text_indexed(mind)


def texts(result: SearchResult) -> list[str]:
    return [hit.text for hit in result.hits]


def parts(hit: Hit) -> RankParts:
    assert hit.parts is not None
    return hit.parts


async def test_scores_are_on_the_scale_of_cosines_and_their_parts_add_up(talk: Mind) -> None:
    result = await search(talk, "copper kettle", explain=True)
    assert result.method == "graph"
    scores = [hit.score or 0 for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    # Every score is mean + deviation * sum / 1.55: two hits determine the line, and a third is on it.
    sums = [sum(getattr(parts(hit), name) for name in RankParts.__dataclass_fields__) for hit in result.hits]
    slope = (scores[0] - scores[-1]) / (sums[0] - sums[-1])
    for score, total in zip(scores, sums, strict=True):
        assert score == pytest.approx(scores[0] + slope * (total - sums[0]), abs=0.005)
    assert slope > 0


async def test_a_neighbour_of_a_good_hit_ranks_before_a_distant_thought(talk: Mind) -> None:
    found = texts(await search(talk, "copper kettle"))
    assert set(found[:3]) > {"the copper kettle stands on the stove", "the copper kettle of Ada is old"}
    neighbour, far = found.index("how nice"), min(found.index(t) for t in found if t.startswith("numbers"))
    assert neighbour < far
    # By vector alone, both are equally far from the query.
    alone = {hit.text: hit.score for hit in (await search(talk, "copper kettle", method="vector")).hits}
    assert alone.get("how nice", 0) == pytest.approx(0, abs=0.2)


async def test_a_session_counts_less_with_every_step_from_its_best_hit(mind: Mind) -> None:
    turns = [("Ada", f"numbers {n} and {n + 1} follow each other") for n in range(80)]
    turns[1] = ("Ada", "the copper kettle stands on the stove")
    await say(mind, *turns)
    await text_indexed(mind)
    hits = (await search(mind, "copper kettle", limit=100, explain=True, max_tokens=100_000)).hits
    shares = {hit.step_index or 0: parts(hit).session for hit in hits if hit.parts}
    assert shares[1] == max(shares.values())
    in_order = [shares[step] for step in sorted(shares) if step > 1]
    assert in_order == sorted(in_order, reverse=True)
    assert in_order[0] > in_order[len(in_order) // 4] > in_order[-1]


async def test_an_answer_ranks_before_its_question(talk: Mind) -> None:
    result = await search(talk, "which tea?", explain=True)
    by_text = {hit.text: parts(hit) for hit in result.hits}
    assert by_text["which tea do you drink?"].question == -1.0
    assert by_text["green leaves from the mountain, since last winter"].answer > 0
    assert by_text["how nice"].answer == 0


async def test_thoughts_of_a_named_author_rank_higher_and_the_query_becomes_first_person(talk: Mind) -> None:
    result = await search(talk, "Ada's copper kettle", explain=True)
    assert {hit.author for hit in result.hits if parts(hit).author} == {"Ada"}
    assert "my copper kettle" in str(getattr(talk.vectors.embedder, "calls", ""))
    both = await search(talk, "the kettle of ada and grace", explain=True)
    assert not any(parts(hit).author for hit in both.hits)


async def test_an_author_is_found_by_an_introduction(mind: Mind) -> None:
    await say(mind, ("Emi", "Hi, I’m Kate!"), ("Muhhamed", "my kettle is new"), ("Emi", "my kettle is old"))
    await text_indexed(mind)
    result = await search(mind, "Is Kate's kettle old?", explain=True)
    assert {hit.author for hit in result.hits if parts(hit).author} == {"Emi"}
    assert "Is my kettle old?" in str(getattr(mind.vectors.embedder, "calls", ""))
    nobody = await search(mind, "Is Martin's kettle old?", explain=True)
    assert not any(parts(hit).author for hit in nobody.hits)


async def test_a_date_and_a_time_count_if_the_query_asks_for_them(talk: Mind) -> None:
    april = await search(talk, "copper in April", explain=True)
    assert {hit.session_id for hit in april.hits if parts(hit).date} == {"second"}
    day = await search(talk, "copper on 2 March 2026", explain=True)
    assert {parts(hit).date for hit in day.hits if hit.session_id == "talk"} == {3.0}
    year = await search(talk, "copper in 2026", explain=True)
    assert {parts(hit).date for hit in year.hits} == {0.6}
    when = await search(talk, "when did you drink?", explain=True)
    assert [hit.text for hit in when.hits if parts(hit).time] == [
        "green leaves from the mountain, since last winter"
    ]


async def test_words_are_weighed_within_the_namespace(mind: Mind) -> None:
    await talked(mind)

    async def weights() -> list[float]:
        result = await search(mind, "copper kettle", explain=True)
        return sorted(parts(hit).words for hit in result.hits)

    before = await weights()
    assert len(set(before)) > 2
    strangers = [f"a kettle of the strangers, number {n}" for n in range(60)]
    for text in strangers:
        await mind.operations["think"].call(
            {"content": text, "namespace": f"{mind.settings.namespace}-strangers", "injection_scale": 0}
        )
    await text_indexed(mind)
    assert await weights() == before


async def test_words_of_knowledge_are_weighed_within_the_namespace(mind: Mind) -> None:
    names = ("copper kettle", "copper wire", "iron kettle", "tea")
    entities = [{"name": name, "entity_type": "thing", "description": f"about {name}"} for name in names]
    await mind.operations["remember"].call({"entities": entities})

    async def weights() -> list[float]:
        result = await mind.operations["search"].call(
            {"query": "copper kettle", "kinds": ["entity"], "explain": True, "limit": 10}
        )
        return [round(parts(hit).words, 3) for hit in result.hits]

    await text_indexed(mind)
    before = await weights()
    assert len(set(before)) > 2
    strangers = [{"name": f"kettle {n}", "entity_type": "thing"} for n in range(60)]
    await mind.operations["remember"].call(
        {"entities": strangers, "namespace": f"{mind.settings.namespace}-strangers"}
    )
    await text_indexed(mind)
    assert await weights() == before


@pytest.mark.slow
async def test_private_thoughts_do_not_displace_hits_by_words(mind: Mind) -> None:
    near = await mind.vectors.embed(["copper kettle"], query=True)
    far = [0.0] * 384
    far[next(n for n, value in enumerate(near[0]) if abs(value) < 0.01)] = 1.0
    await mind.vectors.claim()
    public = {"is_private": False, "key": namespace_key(mind.settings.namespace)}
    private = {"is_private": True, "key": private_key(mind.settings.namespace, "other")}
    rows = [
        *(public | {"content": f"near {n}", "vector": near[0]} for n in range(70)),
        *(private | {"content": "copper kettle", "vector": far} for _ in range(1200)),
        public | {"content": "long after that, the kettle of copper was sold", "vector": far},
    ]
    await raw(
        mind,
        "UNWIND range(0, size($rows) - 1) AS n WITH n, $rows[n] AS row "
        "CREATE (t:Thought {id: $ns + n, namespace: $ns, ns_key: row.key, session_id: 'other', tags: [], "
        "content: row.content, is_private: row.is_private, "
        "found_until: datetime('9999-12-31'), created_at: datetime()}) WITH t, row "
        "CALL db.create.setNodeVectorProperty(t, 'embedding_a', row.vector)",
        rows=rows,
        ns=mind.settings.namespace,
    )
    await text_indexed(mind)
    found = await search(mind, "copper kettle", limit=100, max_tokens=100_000, explain=True)
    assert "copper kettle" not in texts(found)
    (sold,) = [hit for hit in found.hits if hit.text.startswith("long")]
    assert parts(sold).words > 0  # It was ranked, although 70 thoughts are nearer.


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "a AND (b",
        "/x[",
        "\\",
        "kettle:~2 *?",
        "NOT",
        '+-!(){}[]^"~*?:\\/',
        "the of and",
        "ключ 鍵",
        "'; MATCH",
    ],
)
async def test_no_text_is_query_syntax(talk: Mind, query: str) -> None:
    for method in ("graph", "text"):
        result = await search(talk, query, method=method, tags=[query])
        assert result.hits == []
        assert (await search(talk, f"copper {query}", method=method)).hits


async def test_full_text_stems_words_and_ignores_stop_words(talk: Mind) -> None:
    assert texts(await search(talk, "kettles", method="text")) == texts(
        await search(talk, "the KETTLE", method="text")
    )
    assert (await search(talk, "the of and", method="text")).hits == []


async def test_a_thought_must_have_all_tags_exactly_as_written(mind: Mind) -> None:
    for content, tags in (
        ("copper one", ["plan", "debug"]),
        ("copper two", ["plan"]),
        ("copper three", ['a "quoted" \\ tag', "plan"]),
        ("copper four", []),
    ):
        await mind.operations["think"].call({"content": content, "tags": tags, "injection_scale": 0})
    await text_indexed(mind)
    stored = await raw(
        mind, "MATCH (t:Thought {namespace: $ns}) RETURN t.tags AS tags", ns=mind.settings.namespace
    )
    assert any(row["tags"] for row in stored)
    for method in ("graph", "vector", "text"):
        found = await search(mind, "copper", tags=["plan"], method=method)
        assert "copper four" not in texts(found)
        assert {"copper one", "copper two"} <= set(texts(found))
        assert texts(await search(mind, "copper", tags=["plan", "debug"], method=method)) == ["copper one"]
        assert texts(await search(mind, "copper", tags="DEBUG", method=method)) == ["copper one"]
    assert set(texts(await search(mind, None, tags=["plan", "debug"]))) == {"copper one"}


async def test_private_thoughts_are_found_in_their_own_session_only(mind: Mind) -> None:
    for session, private in (("session", True), ("other", True), ("other", False)):
        await mind.operations["think"].call(
            {"content": f"copper {session} {private}", "session_id": session, "is_private": private}
            | {"injection_scale": 0}
        )
    await text_indexed(mind)
    for method in ("graph", "vector", "text"):
        # The process's own session is "session".
        assert set(texts(await search(mind, "copper", method=method))) == {
            "copper session True",
            "copper other False",
        }
        own = await search(mind, "copper", method=method, own_session_id="other")
        assert set(texts(own)) == {"copper other True", "copper other False"}
        named = await search(mind, "copper", method=method, session_id="other", own_session_id="session")
        assert set(texts(named)) == {"copper other True", "copper other False"}
    assert "copper other True" not in texts(await search(mind, None))


async def test_pages_by_cursor_have_one_order_and_an_end(talk: Mind) -> None:
    for options in ({"query": "copper kettle"}, {"query": "copper", "method": "vector"}, {"query": None}):
        whole = await search(talk, **options, limit=100, max_tokens=100_000)
        seen: list[str] = []
        after = None
        while True:
            page = await search(talk, **options, limit=5, after=after)
            assert [hit.rank for hit in page.hits] == [len(seen) + n for n in range(1, len(page.hits) + 1)]
            seen += [hit.id for hit in page.hits]
            if (after := page.next) is None:
                break
        assert seen == [hit.id for hit in whole.hits]
        assert len(set(seen)) == len(seen) == 12


async def test_without_a_query_thoughts_are_listed_in_time(talk: Mind) -> None:
    latest = await search(talk, None, limit=3)
    assert (latest.method, latest.order) == ("list", "created_at_desc")
    assert [hit.score for hit in latest.hits] == [None, None, None]
    assert texts(latest)[:2] == ["the copper wire is new", "the copper kettle of Ada is old"]
    thread = await search(talk, None, session_id="talk")
    assert thread.order == "created_at_asc"
    assert texts(thread)[0] == "the copper kettle stands on the stove"
    assert len(thread.hits) == 4
    assert len((await search(talk, None, as_of="2026-04-01", order="created_at_desc")).hits) == 10
    assert texts(await search(talk, None, author="Grace", order="created_at_asc")) == [
        "which tea do you drink?",
        "how nice",
        "the copper kettle of Ada is old",
    ]


@pytest.mark.slow
async def test_a_long_list_is_in_order_and_a_rare_filter_finds_its_thoughts(mind: Mind) -> None:
    rows: list[dict[str, Any]] = [
        {"id": f"{mind.settings.namespace}-{n}", "namespace": mind.settings.namespace, "is_private": False}
        | {"created_at": START + timedelta(minutes=n // 2), "content": "x", "tags": []}
        | {"author": "rare" if n in (7, 311) else "often"}
        for n in range(400)
    ]
    await mind.vectors.claim()
    await raw(
        mind,
        "UNWIND $rows AS row CREATE (t:Thought) SET t = row WITH t "
        "CALL db.create.setNodeVectorProperty(t, 'embedding_a', $vector)",
        rows=rows,
        vector=[1.0] * 384,
    )
    for order in ("created_at_asc", "created_at_desc"):
        seen: list[str] = []
        after = None
        while len(seen) < 400:
            page = await search(mind, None, order=order, limit=100, after=after, max_tokens=100_000)
            seen += [hit.id for hit in page.hits]
            after = page.next
        ordered = sorted(rows, key=lambda row: (row["created_at"], row["id"]), reverse="desc" in order)
        assert seen == [row["id"] for row in ordered]
        assert after is None
    rare = await search(mind, None, author="rare")
    assert [hit.id.rpartition("-")[2] for hit in rare.hits] == ["311", "7"]


async def test_a_budget_cuts_by_rank_and_counts_what_it_left_out(talk: Mind) -> None:
    whole = await search(talk, "copper kettle")
    small = await search(talk, "copper kettle", max_tokens=300)
    assert 0 < len(small.hits) < len(whole.hits)
    assert small.left_out == len(whole.hits) - len(small.hits)
    assert [hit.id for hit in small.hits] == [hit.id for hit in whole.hits[: len(small.hits)]]
    following = await search(talk, "copper kettle", after=small.next, limit=1)
    assert following.hits[0].id == whole.hits[len(small.hits)].id
    timed = await search(talk, "copper kettle", max_tokens=300, order="created_at_asc")
    assert {hit.id for hit in timed.hits} == {hit.id for hit in small.hits}


async def test_a_search_takes_two_statements_or_three(talk: Mind) -> None:
    costs = {"graph": 2, "vector": 1, "text": 1}  # of thoughts
    for method, cost in costs.items():
        await search(talk, "Ada's copper kettle", method=method)  # plans
        with Wire() as wire:
            await search(talk, "Ada's copper kettle", method=method)
        assert len(wire.statements) == cost, method
    with Wire() as wire:
        await talk.operations["search"].call({"query": "Ada's copper kettle"})
    assert len(wire.statements) == 3  # knowledge as well
    with Wire() as wire:
        await search(talk, None)
    assert (len(wire.statements), wire.round_trips) == (2, 2)  # the ids, then what is shown of them


async def test_a_redacted_thought_is_not_found_even_through_its_neighbours(mind: Mind) -> None:
    await talked(mind)
    (gone,) = [hit for hit in (await search(mind, "how nice")).hits if hit.text == "how nice"]
    await mind.operations["redact_thought"].call({"thought_id": gone.id, "reason": "asked to"})
    for method in ("graph", "vector", "text"):
        found = await search(mind, "green leaves, how nice", method=method)
        assert found.hits
        assert gone.id not in [hit.id for hit in found.hits]
    assert gone.id not in [hit.id for hit in (await search(mind, None)).hits]
