"""Text for the embedder, for Lucene and for keys."""

import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import LiteralString

import pytest

from legacymind.mind import Mind
from legacymind.settings import Settings
from legacymind.text.passages import (
    MAX_TERMS,
    STOP_WORDS,
    fact_key,
    for_embedding,
    full_text_query,
    namespace_key,
    normalised,
)
from tests.fakes import FakeEmbedder
from tests.wire import raw, text_indexed

pytestmark = pytest.mark.anyio


# --- for the embedder ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        ("  one\n\ttwo\r\n three ", "one two three"),
        ("a\x00b\x07c\x7f d\x85e", "abc de"),
        ("no\u00a0break \u2003space", "no break space"),
        ("Case And Ümläuts Stay", "Case And Ümläuts Stay"),
        ("before\n```py\ncode()\n```\nafter", "before after"),
        ("~~~\ncode\n~~~\nonly after", "only after"),
        ("```\none\n```\nbetween\n```\ntwo\n```", "between"),
        ("inline `code` and ``` stay", "inline `code` and ``` stay"),
        ("an open fence\n```\nnever closed", "an open fence ``` never closed"),
    ],
)
def test_the_embedder_sees_clean_prose(content: str, seen: str) -> None:
    assert for_embedding(content, technical=False) == seen


def test_a_technical_mode_keeps_its_code() -> None:
    assert for_embedding("before\n```py\ncode()\n```", technical=True) == "before ```py code() ```"


@pytest.mark.parametrize("content", ["```\ncode\n```", "\x00", "\x00\x01 \n", "~~~\n~~~"])
def test_when_nothing_is_left_the_original_is_embedded(content: str) -> None:
    assert for_embedding(content, technical=False) == content


# --- keys ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("Ada  Lovelace", "ada lovelace"),
        (" Ada\tLovelace\n", "ADA LOVELACE"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Straße", "STRASSE"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("ﬁle", "FILE"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ],
)
def test_names_that_differ_in_case_spacing_or_composition_are_one(name: str, same: str) -> None:
    assert normalised(name) == normalised(same)
    assert fact_key(name) == fact_key(same)
    assert normalised(normalised(name)) == normalised(name)


def test_other_names_are_others() -> None:
    assert len({normalised(name) for name in ("Ada", "Adá", "A da", "Ada.", "Аda")}) == 5


def test_a_namespaces_token_survives_the_analyzer_and_belongs_to_it_alone() -> None:
    keys = {namespace_key(name) for name in ("default", "Default", "default ", "ünï", "a" * 512)}
    assert len(keys) == 5
    assert all(key[0] == "n" and key[-1] == "0" and key.isalnum() and len(key) == 34 for key in keys)


# --- full text -----------------------------------------------------------------------------------


def test_a_query_is_quoted_words_inside_a_namespace() -> None:
    query = full_text_query("ns", "Why did the Tank fail, why?")
    assert query == f'+ns_key:"{namespace_key("ns")}"^0 +("tank" "fail")'


@pytest.mark.parametrize("content", ["", "   ", "the and of", "…!?—()[]{}", "👋 🚀", "x" * 65, "~ * ? : ^"])
def test_without_a_telling_word_there_is_no_query(content: str) -> None:
    assert full_text_query("ns", content) is None


def test_a_query_has_at_most_64_terms_each_once() -> None:
    query = full_text_query("ns", " ".join(f"word{n % 100}" for n in range(5000)))
    assert query is not None
    assert query.count('"') == 2 * (MAX_TERMS + 1)
    assert all(word == word.lower() for word in STOP_WORDS)


NASTY = [
    'a "quoted phrase',
    "unbalanced (paren",
    "unbalanced ) paren",
    "[1 TO 5} range",
    "{a TO b]",
    "field:value",
    "ns_key:other OR content:*",
    "*:* everything",
    "AND OR NOT words",
    "NOT alone",
    "&& || ! operators",
    "+required -excluded",
    "boost^99999",
    "boost^-1",
    "fuzzy~2 proximity~",
    "wild* c?rds *leading",
    "/regex[a-/",
    "slash / and \\ backslash",
    "trailing backslash \\",
    "C:\\Users\\ada\\file.txt",
    "https://example.org/a?b=c&d=[e]#f",
    "$parameter `tick` ${inject}",
    "'; DROP INDEX thought_text; //",
    "emoji 👩🚀 and 会议 and عربى",
    "zero\u200bwidth and \ufeff marks",
    "nul \x00 and \x07 bell",
    "line\nbreaks\r\nand\ttabs",
    "under_scores_and_123_digits",
    "a" * 64 + " long " + "b" * 32_000,
    " ".join(f"w{n}" for n in range(5000)),
    "\u0130stanbul and \u1e9e and \ufb03",
    "combining a\u0300\u0301\u0302\u0303\u0304",
    "<html>&amp;</html>",
    "==== ---- ____ ____",
    "(((((((((( deep ))))))))))" * 50,
    "re: Fwd: [PATCH 1/2] fix: x->y",
]

FOUND: LiteralString = (
    "CALL db.index.fulltext.queryNodes('thought_text', $words, {limit: 20}) YIELD node, score "
    "RETURN node.namespace AS namespace, node.content AS content"
)


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """One for all, with a thought that says what every nasty query says as well."""
    settings = replace(engine_settings, namespace=f"test-{uuid.uuid4()}")
    async with Mind(settings, embedder=FakeEmbedder()) as opened:
        for namespace in (settings.namespace, f"{settings.namespace}-other"):
            arguments = {"content": "sentinel thoughts about tanks", "namespace": namespace, "author": "Ines"}
            await opened.operations["think"].call(arguments)
        await text_indexed(opened)
        yield opened


@pytest.mark.parametrize("content", NASTY, ids=range(len(NASTY)))
async def test_any_text_is_a_query_that_finds_its_words_in_its_namespace_only(
    mind: Mind, content: str
) -> None:
    words = full_text_query(mind.settings.namespace, f"sentinel {content}")
    rows = await raw(mind, FOUND, words=words)
    expected = {"namespace": mind.settings.namespace, "content": "sentinel thoughts about tanks"}
    assert rows == [expected]
    plain = full_text_query(mind.settings.namespace, content)
    if plain is not None:
        assert all(row == expected for row in await raw(mind, FOUND, words=plain))


@pytest.mark.parametrize(
    ("content", "found"),
    [("a tank", True), ("THINKING of tanks", True), ("ines", True), ("bananas", False), ("thoughtful", True)],
)
async def test_words_are_stemmed_and_authors_found(mind: Mind, content: str, found: bool) -> None:
    words = full_text_query(mind.settings.namespace, content)
    assert bool(await raw(mind, FOUND, words=words)) == found


async def test_another_namespace_finds_nothing_even_by_our_own_words(mind: Mind) -> None:
    stranger = full_text_query("a stranger's", "sentinel thoughts about tanks")
    assert await raw(mind, FOUND, words=stranger) == []
    forged = full_text_query("a stranger's", f"sentinel {namespace_key(mind.settings.namespace)}")
    assert await raw(mind, FOUND, words=forged) == []
