"""Token budgets: the estimate compared with real tokenizers, and the part of a list that fits."""

import json
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from legacymind.doors.answer import compact, jsonable
from legacymind.model.base import Hit, SearchResult
from legacymind.model.chain import TrailThought
from legacymind.operations.budget import (
    DEFAULT_TOKENS,
    TOKENS_PER_ITEM,
    allowance,
    fit,
    fit_excerpts,
    shorten,
    size,
    tokens,
)

# Counts that OpenAI publishes for cl100k_base in its guide to counting tokens.
PUBLISHED = {
    "antidisestablishmentarianism": 6,
    "2 + 2 = 4": 7,
    "お誕生日おめでとう": 9,
}


def hit(text: str, **more: Any) -> Hit:
    filled: dict[str, Any] = {
        "id": str(uuid.uuid4()),
        "kind": "thought",
        "score": 0.5123,
        "rank": 1,
        "created_at": datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC),
        "author": "ada",
        "session_id": "deploys",
        "step_index": 17,
    }
    return Hit(text=text, **filled | more)


@pytest.mark.parametrize(("text", "published"), PUBLISHED.items())
def test_the_estimate_is_between_a_published_count_and_twice_that(text: str, published: int) -> None:
    assert published <= tokens(text) <= 2 * published


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" ", 0),
        ("a", 2),
        ("the cache is cold", 5),
        ("hello, world!", 4),
        ("internationalisation", 6),
        ("12345", 3),
        ("at 12", 3),
        ("a\nb", 4),
        ("        indented", 2),
        ("漢字", 4),
        ("🙂", 4),
        ("\ud800", 1),
    ],
)
def test_a_text_is_counted_in_pieces(text: str, count: int) -> None:
    assert tokens(text) == count


def test_other_values_are_counted_as_their_json() -> None:
    assert tokens({"a": 1}) == 5  # {" a ": 1 }
    value = {"when": datetime(2026, 1, 1, tzinfo=UTC), "ids": ["x", "y"], "none": None}
    assert tokens(value) == tokens(compact(jsonable(value)))


def test_an_id_costs_about_a_token_for_two_characters() -> None:
    ids = [str(uuid.uuid4()) for _ in range(200)]
    assert 200 * 18 <= tokens(" ".join(ids)) <= 200 * 36


COUNTED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("token_counts.json").read_text())
"""Texts of this repository with the counts of real tokenizers (the package bpe-openai)."""


@pytest.mark.parametrize("vocabulary", ["cl100k_base", "o200k_base"])
def test_the_estimate_of_english_and_code_is_within_a_tenth_of_real_tokenizers(vocabulary: str) -> None:
    kinds = {one["kind"] for one in COUNTED}
    assert kinds >= {"docs", "thoughts", "python", "javascript", "answers"}
    for kind in kinds:
        texts = [one for one in COUNTED if one["kind"] == kind]
        real = sum(one["counts"][vocabulary] for one in texts)
        assert 0.9 * real < sum(tokens(one["text"]) for one in texts) < 1.1 * real, kind


def test_a_record_is_measured_as_the_doors_send_it_in_a_list() -> None:
    found = hit("a short text")
    page = SearchResult(hits=[found], order="relevance", method="graph")
    (sent,) = jsonable(page)["hits"]
    assert not {"chain_id", "rank", "kind"} & sent.keys()
    assert size(found) == tokens(sent) + 1
    assert size(hit("a short text", id=found.id, chain_id="release")) > size(found)


def test_items_are_kept_in_order_while_they_fit() -> None:
    items = [hit(f"text {number}") for number in range(10)]
    three = sum(size(item) for item in items[:3])
    assert fit(items, three) == (items[:3], 7)
    assert fit(items, three - 1) == (items[:2], 8)
    assert fit(items, 100_000) == (items, 0)
    assert fit([], 100) == ([], 0)


def test_a_long_item_ends_the_page_even_if_a_later_one_would_fit() -> None:
    items = [hit("short"), hit("long " * 1000), hit("short")]
    assert fit(items, 500) == (items[:1], 2)


def test_the_text_of_a_first_item_that_is_too_long_is_shortened() -> None:
    items = [hit('He said "no"\n' * 500), hit("short")]
    (first,), left_out = fit(items, 180)
    assert left_out == 1
    assert (first.id, first.score) == (items[0].id, items[0].score)
    assert first.text.endswith("…")
    assert items[0].text.startswith(first.text[:-1])
    assert 170 <= size(first) <= 180
    step = TrailThought(thought_id="x", thought_type="note", content="word " * 500, step_index=0)
    ((short,), _) = fit([step], 100)
    assert 90 <= size(short) <= 100


def test_a_first_item_is_kept_even_if_its_text_cannot_be_shortened() -> None:
    bare, full = hit(""), hit("text " * 50)
    assert fit([bare], 1) == ([bare], 0)
    ((cut,), left_out) = fit([full, bare], 1)
    assert (cut.id, cut.text, left_out) == (full.id, "…", 1)


@pytest.mark.parametrize("text", ["word " * 100, '""\n\\' * 100, "漢字" * 100, "x" * 500, "1 " * 100])
@pytest.mark.parametrize("limit", [2, 3, 7, 40])
def test_a_text_is_shortened_to_its_tokens_as_json(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert tokens([short]) - tokens([""]) <= limit
    assert text.startswith(short[:-1].rstrip())
    assert short.endswith("…")
    assert shorten("fits", limit) == "fits"


def test_the_default_budget_is_small_and_grows_with_the_limit() -> None:
    assert allowance(None, 10, 10) == DEFAULT_TOKENS
    assert allowance(None, 5, 10) == DEFAULT_TOKENS
    assert allowance(None, 11, 10) == 11 * TOKENS_PER_ITEM
    assert allowance(None, 5, 2) == DEFAULT_TOKENS
    assert allowance(500, 100, 10) == 500


def test_measuring_a_long_item_takes_few_steps() -> None:
    def steps(count: int, times: int) -> int:
        items = [hit("The retry storm began when the timeout was raised. " * times) for _ in range(count)]
        taken = 0

        def step(frame: FrameType, event: str, argument: object) -> None:
            nonlocal taken
            taken += event in ("call", "c_call")

        sys.setprofile(step)  # a clock would also measure the machine
        try:
            kept, _ = fit(items, 1_000_000)
        finally:
            sys.setprofile(None)
        assert len(kept) == count
        return taken

    steps(20, 12)  # what is computed once for a type
    assert steps(20, 12) == steps(20, 1200) < 20 * 100
    assert steps(200, 12) < 200 * 100


LONG = "The copper kettle stands on the shelf. " * 30 + "Its lid leaks. " + "It is never polished. " * 30
LENGTHS = (600, 400, 200, 100)


def cut(items: list[Hit], budget: int, **options: Any) -> tuple[list[Hit], int]:
    kept, left_out = fit_excerpts(items, budget, [" lid"], lengths=LENGTHS, **options)
    assert sum(map(size, kept)) <= budget
    assert [item.id for item in kept] == [item.id for item in items[: len(kept)]]
    assert len(kept) + left_out == len(items)
    return kept, left_out


def test_texts_are_shortened_before_items_are_left_out() -> None:
    items = [hit(LONG) for _ in range(6)]
    shortest = [hit(LONG[:100]) for _ in range(6)]
    lengths: list[list[int]] = []
    for budget in (100_000, 1_100, 800):
        kept, left_out = cut(items, budget)
        assert left_out == 0
        assert all("lid leaks" in item.text for item in kept)
        lengths.append([len(item.text) for item in kept])
        assert max(lengths[-1]) <= 600
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[1] > lengths[2]
    kept, _ = cut(items, 800, first=1)
    assert len(kept[0].text) > len(kept[1].text) == len(kept[5].text)
    few, left_out = cut(items, sum(map(size, shortest)) // 2)
    assert 0 < left_out < 6
    assert all("lid leaks" in item.text for item in few)


def test_the_first_texts_are_whole_if_tokens_remain() -> None:
    items = [hit(LONG), hit("short"), hit(LONG), hit(LONG)]
    for budget, whole in ((100_000, 2), (size(items[0]) + 650, 1), (750, 0)):
        kept, left_out = cut(items, budget, first=3)
        assert left_out == 0
        assert [item.text == LONG for item in kept] == [whole > 0, False, whole > 1, False]
        assert kept[1].text == "short"


def test_short_texts_and_none_are_not_changed() -> None:
    items = [hit("short"), hit("")]
    assert cut(items, 500) == (items, 0)
    for allowed in (500, 0, -1):
        assert fit_excerpts([], allowed, (), lengths=LENGTHS, first=3) == ([], 0)
    ((first,), left_out) = fit_excerpts(items, 1, (), lengths=LENGTHS)
    assert (first.id, left_out) == (items[0].id, 1)
