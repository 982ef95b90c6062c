"""What LangGraph documents of a ``BaseStore``, on its own ``InMemoryStore`` and on ``MindStore``."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("langgraph", reason="needs the extra langgraph")
from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem, SearchOp
from langgraph.store.memory import InMemoryStore

from legacymind import Mind, RequestRefused
from legacymind.adapters.langgraph import MindStore
from legacymind.adapters.loops import HomeLoop
from tests.fakes import FakeEmbedder
from tests.wire import text_indexed

Names = list[tuple[tuple[str, ...], str]]


@pytest.fixture(params=["memory", "mind"])
def make(request: pytest.FixtureRequest) -> Callable[..., BaseStore]:
    """Makes a store of either kind, which indexes the fields."""
    if request.param == "memory":
        return lambda *fields: InMemoryStore(
            index={"dims": 384, "embed": FakeEmbedder.of, "fields": list(fields) or ["$"]}
        )
    mind: Mind = request.getfixturevalue("own_mind")
    return lambda *fields: MindStore(mind, fields=fields or ["$"])


@pytest.fixture
def store(make: Callable[..., BaseStore]) -> BaseStore:
    """A store that indexes whole values."""
    return make()


@pytest.fixture
def mind_store(own_mind: Mind) -> MindStore:
    """A store over a mind, for what only it promises."""
    return MindStore(own_mind)


def names(items: Iterable[Item]) -> Names:
    """The namespace and key of each item."""
    return [(item.namespace, item.key) for item in items]


# --- put, get, delete


def test_an_item_is_read_as_it_was_put(store: BaseStore) -> None:
    value = {"text": "likes pizza", "n": 1.5, "none": None, "deep": {"list": [1, "a", {"é": "````\n"}]}}
    store.put(("users", "ada"), "food", value)
    found = store.get(("users", "ada"), "food")
    assert found is not None
    assert (found.namespace, found.key, found.value) == (("users", "ada"), "food", value)
    assert found.created_at.tzinfo is not None
    assert found.updated_at >= found.created_at


def test_what_was_never_put_is_none(store: BaseStore) -> None:
    store.put(("users", "ada"), "food", {"a": 1})
    for namespace, key in [
        (("users", "ada"), "Food"),
        (("users", "Ada"), "food"),
        (("users",), "food"),
        (("users", "ada", "x"), "food"),
    ]:
        assert store.get(namespace, key) is None


def test_a_second_put_replaces_the_value(store: BaseStore) -> None:
    store.put(("users",), "ada", {"likes": "tea"})
    first = store.get(("users",), "ada")
    store.put(("users",), "ada", {"drinks": "coffee"})
    found = store.get(("users",), "ada")
    assert first is not None
    assert found is not None
    assert found.value == {"drinks": "coffee"}
    assert found.updated_at > first.updated_at
    assert names(store.search(("users",))) == [(("users",), "ada")]


def test_a_deleted_item_is_gone_and_may_be_put_again(store: BaseStore) -> None:
    for likes in ("tea", "coffee"):
        store.put(("users",), "ada", {"likes": likes})
    store.delete(("users",), "ada")
    assert store.get(("users",), "ada") is None
    assert store.search(("users",)) == []
    assert store.search(("users",), query="coffee") == []
    store.delete(("users",), "ada")
    store.delete(("users",), "nobody")
    store.put(("users",), "ada", {"likes": "tea"})
    found = store.get(("users",), "ada")
    assert found is not None
    assert found.value == {"likes": "tea"}


def test_items_of_one_key_in_two_namespaces_are_two(store: BaseStore) -> None:
    store.put(("a", "b"), "k", {"n": 1})
    store.put(("a",), "k", {"n": 2})
    store.delete(("a",), "k")
    found = store.get(("a", "b"), "k")
    assert found is not None
    assert found.value == {"n": 1}


@pytest.mark.slow
def test_a_long_value_is_read_whole(store: BaseStore) -> None:
    value = {"text": "A sentence about kettles. " * 1_500}
    store.put(("long",), "k", value)
    store.put(("long",), "k", value | {"n": 2})
    found = store.get(("long",), "k")
    assert found is not None
    assert found.value == value | {"n": 2}
    assert [item.value["n"] for item in store.search(("long",), query="kettles")] == [2]


# --- batch


def test_a_batch_answers_in_order_and_reads_before_it_writes(store: BaseStore) -> None:
    store.put(("a",), "old", {"n": 0})
    results = store.batch(
        [
            PutOp(("a",), "k", {"n": 1}),
            GetOp(("a",), "old"),
            GetOp(("a",), "k"),
            PutOp(("a",), "k", {"n": 2}),
            PutOp(("a",), "old", None),
        ]
    )
    assert [isinstance(result, Item) for result in results] == [False, True, False, False, False]
    found = store.get(("a",), "k")
    assert found is not None
    assert found.value == {"n": 2}
    assert store.get(("a",), "old") is None


def test_the_asynchronous_methods_do_the_same(store: BaseStore) -> None:
    async def use() -> list[SearchItem]:
        await store.aput(("a",), "k", {"text": "a kettle"})
        await store.aput(("a",), "gone", {"text": "a pan"})
        await store.adelete(("a",), "gone")
        assert (await store.aget(("a",), "k")) == store.get(("a",), "k")
        assert await store.alist_namespaces() == [("a",)]
        return await store.asearch(("a",), query="kettle")

    assert names(asyncio.run(use())) == [(("a",), "k")]


# --- search


def put_all(store: BaseStore, items: dict[tuple[str, ...], dict[str, Any]]) -> None:
    """Put items: the last label is the key."""
    store.batch([PutOp(path[:-1], path[-1], value) for path, value in items.items()])


def test_a_search_finds_what_begins_with_its_prefix(store: BaseStore) -> None:
    put_all(
        store,
        {
            ("a", "k"): {"n": 1},
            ("a", "b", "k"): {"n": 2},
            ("a", "b", "c", "k"): {"n": 3},
            ("ab", "k"): {"n": 4},
            ("A", "b", "k"): {"n": 5},
            ("a", "b-c", "k"): {"n": 6},
        },
    )
    assert len(store.search(())) == 6
    assert set(names(store.search(("a", "b")))) == {(("a", "b"), "k"), (("a", "b", "c"), "k")}
    assert store.search(("b",)) == []


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"n": 1}, "a"),
        ({"n": {"$eq": 1}}, "a"),
        ({"n": {"$ne": 1}}, "bc"),
        ({"n": {"$gt": 2}}, "c"),
        ({"n": {"$gte": 2}}, "bc"),
        ({"n": {"$lt": 2}}, "a"),
        ({"n": {"$gt": 1, "$lte": 2}}, "b"),
        ({"kind": "x", "n": {"$gte": 2}}, "b"),
        ({"deep": {"m": 2}}, "b"),
        ({"deep": {"m": {"$gte": 2}}}, "bc"),
        ({"list": ["q", 3]}, "c"),
        ({"missing": 1}, ""),
        ({"missing": None}, "abc"),
    ],
)
def test_a_filter_compares_values(store: BaseStore, asked: dict[str, Any], found: str) -> None:
    put_all(
        store,
        {
            ("f", key): {"n": n, "kind": kind, "deep": {"m": n}, "list": ["q", n]}
            for key, n, kind in [("a", 1, "x"), ("b", 2, "x"), ("c", 3, "y")]
        },
    )
    assert {item.key for item in store.search(("f",), filter=asked)} == set(found)


def test_an_unknown_operator_is_an_error(store: BaseStore) -> None:
    store.put(("f",), "k", {"n": 1})
    with pytest.raises(ValueError, match=r"\$regex"):
        store.search(("f",), filter={"n": {"$regex": "1"}})


@pytest.mark.slow
def test_pages_have_every_item_once(store: BaseStore) -> None:
    put_all(store, {("p", str(n)): {"n": n, "even": n % 2 == 0} for n in range(25)})
    for asked in (None, {"even": True}):
        pages = [store.search(("p",), filter=asked, limit=4, offset=offset) for offset in range(0, 28, 4)]
        keys = [item.key for page in pages for item in page]
        assert sorted(keys) == sorted(str(n) for n in range(0, 25, 2 if asked else 1))
    assert len(store.search(("p",))) == 10


def test_a_query_orders_by_meaning_with_a_score(store: BaseStore) -> None:
    put_all(
        store,
        {
            ("q", "ada", "food"): {"text": "pizza with olives"},
            ("q", "ada", "work"): {"text": "compilers and engines"},
            ("q", "eve", "food"): {"text": "soup with olives"},
        },
    )
    found = store.search(("q",), query="pizza with olives")
    assert names(found)[:2] == [(("q", "ada"), "food"), (("q", "eve"), "food")]
    scores = [item.score for item in found if item.score is not None]
    assert len(scores) == len(found)
    assert scores == sorted(scores, reverse=True)
    assert names(store.search(("q", "eve"), query="pizza with olives")) == [(("q", "eve"), "food")]
    assert names(store.search(("q",), query="pizza with olives", limit=1, offset=1)) == [
        (("q", "eve"), "food")
    ]
    assert [item.score for item in store.search(("q",))] == [None] * 3


def test_items_of_one_text_are_all_found(store: BaseStore) -> None:
    put_all(store, {("q", str(n)): {"text": "a kettle", "n": n} for n in range(12)})
    assert len({item.key for item in store.search(("q",), query="a kettle", limit=20)}) == 12


def test_a_query_and_a_filter_both_count(store: BaseStore) -> None:
    put_all(store, {("q", str(n)): {"text": f"kettle number {n}", "n": n} for n in range(30)})
    found = store.search(("q",), query="kettle", filter={"n": {"$gte": 25}}, limit=3)
    assert len(found) == 3
    assert all(item.value["n"] >= 25 for item in found)


def test_only_the_latest_value_is_found_by_meaning(store: BaseStore) -> None:
    store.put(("q",), "k", {"text": "a red kettle"})
    store.put(("q",), "k", {"text": "a green saucepan"})
    store.put(("q",), "other", {"text": "a red kettle lid"})
    found = store.search(("q",), query="a red kettle")
    assert next((item.key, item.value["text"]) for item in found) == ("other", "a red kettle lid")
    assert {item.key: item.value["text"] for item in found}.get("k") in (None, "a green saucepan")


def test_the_configured_fields_are_indexed(make: Callable[..., BaseStore]) -> None:
    store = make("title", "notes[*].text")
    store.put(("i",), "a", {"title": "kettle", "secret": "saucepan", "notes": []})
    store.put(("i",), "b", {"title": "lamp", "notes": [{"text": "a kettle"}, {"text": "a saucepan"}]})
    assert names(store.search(("i",), query="saucepan", limit=1)) == [(("i",), "b")]
    assert names(store.search(("i",), query="lamp", limit=1)) == [(("i",), "b")]


def test_put_may_name_other_fields_or_none(make: Callable[..., BaseStore]) -> None:
    store = make("title")
    store.put(("i",), "a", {"title": "lamp", "body": "saucepan"}, index=["body"])
    store.put(("i",), "b", {"title": "saucepan lamp"}, index=False)
    assert names(store.search(("i",), query="saucepan", limit=1)) == [(("i",), "a")]
    assert {item.key for item in store.search(("i",))} == {"a", "b"}
    assert store.get(("i",), "b") is not None


# --- namespaces


PATHS = [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "x", "c"), ("b", "b", "c"), ("a", "b")]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, PATHS),
        ({"prefix": ("a", "b")}, [PATHS[0], PATHS[1], PATHS[4]]),
        ({"suffix": ("c",)}, [PATHS[0], PATHS[2], PATHS[3]]),
        ({"prefix": ("a", "*", "c")}, [PATHS[0], PATHS[2]]),
        ({"prefix": ("a",), "suffix": ("*", "c")}, [PATHS[0], PATHS[2]]),
        ({"max_depth": 2}, [("a", "b"), ("a", "x"), ("b", "b")]),
        ({"prefix": ("a", "b"), "max_depth": 3}, [("a", "b"), ("a", "b", "c"), ("a", "b", "d")]),
        ({"limit": 2, "offset": 1}, sorted(PATHS)[1:3]),
        ({"prefix": ("nowhere",)}, []),
    ],
)
def test_namespaces_are_listed(store: BaseStore, asked: dict[str, Any], found: list[Any]) -> None:
    put_all(store, {(*path, "k"): {"n": n} for n, path in enumerate(PATHS)})
    assert store.list_namespaces(**asked) == sorted(found)


LABELS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=".\0"), min_size=1, max_size=8)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    namespace=st.lists(LABELS, min_size=1, max_size=4).map(tuple).filter(lambda path: path[0] != "langgraph"),
    key=st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
@pytest.mark.slow
def test_every_namespace_and_key_is_kept(store: BaseStore, namespace: tuple[str, ...], key: str) -> None:
    store.put(namespace, key, {"key": key})
    found = store.get(namespace, key)
    assert found is not None
    assert (found.namespace, found.key, found.value) == (namespace, key, {"key": key})
    assert (namespace, key) in names(store.search(namespace, limit=100))
    assert namespace in store.list_namespaces(prefix=namespace[:1], limit=1_000)


# --- what only MindStore promises


@pytest.mark.slow
def test_an_expired_item_is_gone_and_a_read_extends_it(own_mind: Mind) -> None:
    store = MindStore(own_mind, ttl={"default_ttl": 4 / 60, "refresh_on_read": True})
    for ttl in (1.0, 2.0):  # plan the statements, which may take longer than the items live
        store.put(("t",), "first", {"text": "kettle"}, ttl=ttl)
        store.get(("t",), "first")
    store.delete(("t",), "first")
    store.put(("t",), "read", {"text": "kettle"})
    store.put(("t",), "unread", {"text": "kettle"})
    store.put(("t",), "lasting", {"text": "kettle"}, ttl=None)
    first = store.get(("t",), "read")
    until = time.monotonic() + 5.5
    while time.monotonic() < until:
        found = store.get(("t",), "read")
        assert found == first  # its times too
        assert store.get(("t",), "unread", refresh_ttl=False) or time.monotonic() > until - 2
        time.sleep(0.5)
    assert {item.key for item in store.search(("t",))} == {"read", "lasting"}
    assert {item.key for item in store.search(("t",), query="kettle", refresh_ttl=False)} == {
        "read",
        "lasting",
    }


@pytest.mark.slow
def test_an_old_value_does_not_return_when_the_new_one_expires(mind_store: MindStore) -> None:
    for ttl in (None, 1.0):  # plan the statements, which may take longer than the last one lives
        mind_store.put(("t",), "k", {"n": 1}, ttl=ttl)
        mind_store.get(("t",), "k", refresh_ttl=False)
    mind_store.put(("t",), "k", {"n": 2}, ttl=2 / 60)
    found = mind_store.get(("t",), "k", refresh_ttl=False)
    assert found is not None
    assert found.value == {"n": 2}
    time.sleep(2.5)
    assert mind_store.get(("t",), "k") is None
    assert mind_store.search(("t",)) == []


def test_to_put_the_same_value_again_stores_nothing(own_mind: Mind, mind_store: MindStore) -> None:
    for _ in range(3):
        mind_store.put(("users", "ada"), "food", {"likes": "tea"})
    mind_store.put(("users", "ada"), "food", {"likes": "coffee"})
    chain = HomeLoop().wait(own_mind.verify("store:users/ada"))
    assert (chain.verdict, chain.thought_count) == ("intact", 2)


@pytest.mark.anyio
async def test_puts_that_meet_leave_one_latest_value(mind: Mind) -> None:
    store = MindStore(mind)
    await store.aput(("c",), "k", {"n": -1})
    await asyncio.gather(*(store.abatch([PutOp(("c",), "k", {"n": n})]) for n in range(4)))
    found = await store.aget(("c",), "k")
    (searched,) = await store.asearch(("c",))
    assert found is not None
    assert searched.value == found.value
    assert found.value["n"] in range(4)


@pytest.mark.anyio
async def test_a_synchronous_call_in_the_loop_of_the_mind_is_refused(mind: Mind) -> None:
    store = MindStore(mind)
    with pytest.raises(RequestRefused, match="block the event loop"):
        store.batch([SearchOp(("a",))])
    assert await store.abatch([SearchOp(("a",))]) == [[]]
    # As a synchronous node of a graph that runs asynchronously:
    assert await asyncio.to_thread(store.batch, [GetOp(("a",), "k")]) == [None]


@pytest.mark.slow
def test_many_namespaces_are_searched_together(own_mind: Mind, mind_store: MindStore) -> None:
    put_all(mind_store, {("many", str(n), "k"): {"text": f"kettle {n}"} for n in range(60)})
    runner = HomeLoop()
    runner.wait(text_indexed(own_mind))
    assert len(mind_store.search(("many",), limit=100)) == 60
    assert len(mind_store.search(("many",), query="kettle", limit=100)) == 60
    assert len(mind_store.search(("many", "7"), query="kettle", limit=100)) == 1
