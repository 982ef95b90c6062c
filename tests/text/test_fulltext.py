"""Lucene queries: their text, and a test on a real server that no user text is syntax."""

from collections.abc import AsyncIterator
from typing import LiteralString

import pytest

from legacymind.mind import Mind
from legacymind.settings import Settings
from legacymind.text.fulltext import (
    MAX_TERMS,
    full_text_query,
    list_query,
    namespace_key,
    possible_names,
    private_key,
    word_stems,
)
from legacymind.text.words import STOP_WORDS, comparable
from tests.steps import own_namespace
from tests.wire import raw, text_indexed

pytestmark = pytest.mark.anyio


def test_the_term_of_a_namespace_is_unique_and_survives_the_analyzer() -> None:
    keys = {namespace_key(name) for name in ("default", "Default", "default ", "ünï", "a" * 512)}
    assert len(keys) == 5
    assert all(key[0] == "n" and key[-1] == "0" and key.isalnum() and len(key) == 34 for key in keys)


def test_every_word_may_be_an_author_and_capitalised_words_come_first() -> None:
    found = possible_names("n", 'did the bike of Ada break? "OR" author:x\\')
    # x is too short, the others are stop words
    assert [one.word for one in found] == ["Ada", "bike", "break", "author"]
    assert len(possible_names("n", " ".join(f"word{n}" for n in range(100)))) == 16
    assert possible_names("n", "what is it?") == []


def test_a_capitalised_word_may_be_how_an_author_was_introduced() -> None:
    (name,) = possible_names("n", "where is Mohammed?")
    assert 'content:"i\'m mohammed"' in name.introduced
    for plain in ("where is mohammed?", "Considering tea"):
        assert {one.introduced for one in possible_names("n", plain)} == {""}


def test_stems_are_the_beginnings_of_words_and_pairs_of_unspaced_characters() -> None:
    assert word_stems("Why do kettles go on a stove, kettles?") == [" kettl", " go", " stov"]
    assert word_stems("kettles painted", endings=3) == [" kett", " pain"]
    assert word_stems("我喜欢茶 tea 鍵") == ["我喜", "喜欢", "欢茶", " tea", "鍵"]
    assert len(word_stems(" ".join(f"word{n}" for n in range(100)))) == MAX_TERMS


@pytest.mark.parametrize(
    ("query", "stems"),
    [
        ("I don't, can’t and won't", []),
        ("Ada's event’s", [" ada", " even"]),
        ("she'll say I'm O'Brien", [" say", " o brien", " brie"]),
        ("4.2 seconds of 1,200 at 12:30", [" 4 2 ", " secon", " 1 200 ", " 12 30 "]),
        ("v1.2.3 10.0.0.1:8080", [" v1 2 3 ", " 1 2 3 ", " 10 0 0 1 ", " 8080 "]),
        (
            "os.path max_tokens __init__",
            [" os path", " os", " path", " max tokens", " max", " toke", " init"],
        ),
        ("dry-run TS-1042", [" dry run", " dry", " run", " ts 1042 ", " ts", " 1042 "]),
        ("getUserID HTTPServer", [" getuser", " get", " user", " id", " httpserv", " http", " serv"]),
        ("src/app.py", [" src", " app py", " app", " py"]),
        ("メモリ会議gpt", ["メモリ", "会議", " gpt"]),
    ],
)
def test_numbers_and_identifiers_are_words(query: str, stems: list[str]) -> None:
    assert word_stems(query) == stems
    assert not stems or stems[0] in comparable(f"({query})")


@pytest.mark.parametrize(
    ("query", "text"),
    [("15", "1500"), ("4.2", "4.25"), ("1.2", "v1.20"), ("port", "export"), ("os.path", "os and path")],
)
def test_a_stem_is_not_found_in_another_word(query: str, text: str) -> None:
    assert word_stems(query)[0] not in comparable(text)


def test_of_a_long_text_the_words_that_are_rare_in_most_texts_are_kept() -> None:
    ramble = " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200))
    text = f"{ramble} Harborline ERR_1042 misconfiguration"
    assert {" harborli", " err 1042 ", " misconfigurati"} < set(word_stems(text))
    query = full_text_query("ns", text) or ""
    assert all(f'"{word}"' in query for word in ("harborline", "err_1042", "misconfiguration"))
    assert query.count("(+ns_key") == MAX_TERMS


def test_a_list_query_requires_every_item_and_escapes_it() -> None:
    key = namespace_key("ns")
    lists = {"tags": ["plan", 'a "b" \\']}
    items = r"+tags:/[Pp][Ll][Aa][Nn]/ +tags:/[Aa][\ ][\"][Bb][\"][\ ][\\]/"
    assert list_query("ns", lists) == f'+ns_key:"{key}"^0 {items}'


def test_a_query_is_quoted_words_inside_a_namespace() -> None:
    query = full_text_query("ns", "Why did the Tank fail, why?")
    readable = f'+ns_key:"{namespace_key("ns")}"^0'
    assert query == f'({readable} +"tank") ({readable} +"fail")'


def test_a_session_reads_its_private_thoughts_besides_the_public_ones() -> None:
    both = f'+(ns_key:"{namespace_key("ns")}" ns_key:"{private_key("ns", "mine")}")^0 '
    assert full_text_query("ns", "tank", "mine") == f'({both}+"tank")'
    assert list_query("ns", {"tags": ["7"]}, "mine") == f"{both}+tags:/7/"
    keys = {private_key("ns", None), private_key("ns", "mine"), private_key("nsm", "ine")}
    assert len(keys | {namespace_key("ns")}) == 4


@pytest.mark.parametrize("content", ["", "   ", "the and of", "…!?—()[]{}", "👋 🚀", "x" * 65, "~ * ? : ^"])
def test_a_text_of_stop_words_has_no_query(content: str) -> None:
    assert full_text_query("ns", content) is None


def test_a_query_has_at_most_64_terms_each_once() -> None:
    query = full_text_query("ns", " ".join(f"word{n % 100}" for n in range(5000)))
    assert query is not None
    assert query.count(' +"word') == MAX_TERMS
    assert all(word == word.lower() for word in STOP_WORDS)


HOSTILE = [
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
    """One mind for all tests, with a thought that shares its words with every query."""
    async with own_namespace(engine_settings) as opened:
        own = opened.settings.namespace
        for namespace in (own, f"{own}-other"):
            arguments = {"content": "sentinel thoughts about tanks", "namespace": namespace, "author": "Ines"}
            await opened.operations["think"].call(arguments)
        private = {"content": "a private sentinel", "session_id": "mine", "is_private": True}
        await opened.operations["think"].call(private)
        await text_indexed(opened)
        yield opened


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
async def test_any_text_is_a_query_that_finds_its_words_in_its_namespace_only(
    mind: Mind, content: str
) -> None:
    words = full_text_query(mind.settings.namespace, f"sentinel {content}")
    rows = await raw(mind, FOUND, words=words)
    expected = {"namespace": mind.settings.namespace, "content": "sentinel thoughts about tanks"}
    # Of 5,000 words with digits, 64 are searched, and none of them is this one.
    assert rows == ([expected] if words and '"sentinel"' in words else [])
    plain = full_text_query(mind.settings.namespace, content)
    if plain is not None:
        assert all(row == expected for row in await raw(mind, FOUND, words=plain))


async def test_the_longest_query_has_fewer_clauses_than_lucene_allows(mind: Mind) -> None:
    text = " ".join(f"word{n}" for n in range(MAX_TERMS))
    words = full_text_query(mind.settings.namespace, text, "mine")
    for index in ("thought_text", "knowledge_text"):
        found = (
            "CALL db.index.fulltext.queryNodes($index, $words, {limit: 9}) YIELD node RETURN node.id AS id"
        )
        assert await raw(mind, found, index=index, words=words) == []


@pytest.mark.parametrize(("session", "found"), [("", 1), ("other", 1), ("mine", 2)])
async def test_private_thoughts_take_no_place_in_the_hits_of_other_sessions(
    mind: Mind, session: str, found: int
) -> None:
    words = full_text_query(mind.settings.namespace, "sentinel", session)
    assert len(await raw(mind, FOUND, words=words)) == found


@pytest.mark.parametrize(
    ("content", "found"),
    [("a tank", True), ("THINKING of tanks", True), ("ines", True), ("bananas", False), ("thoughtful", True)],
)
async def test_words_are_stemmed_and_authors_found(mind: Mind, content: str, found: bool) -> None:
    words = full_text_query(mind.settings.namespace, content)
    assert bool(await raw(mind, FOUND, words=words)) == found


UNCHANGED = [
    "event's",
    "4.2",
    "1,200",
    "12:30",
    "v1.2.3",
    "10.0.0.1:8080",
    "2026-09-14",
    "os.path.join",
    "max_tokens",
    "--dry-run",
    "getUserName",
    "O’Brien",
    "TS-1042",
    "user@example.org",
    "我喜欢茶",
    "データベース",
]


async def test_words_that_are_searched_unchanged_are_found(mind: Mind) -> None:
    own = f"{mind.settings.namespace}-words"
    for word in UNCHANGED:
        await mind.operations["think"].call({"content": f"noted ({word}), today", "namespace": own})
    await text_indexed(mind)
    for word in UNCHANGED:
        rows = await raw(mind, FOUND, words=full_text_query(own, word))
        assert rows, word
        assert rows[0]["content"] == f"noted ({word}), today"


async def test_another_namespace_finds_nothing_by_the_same_words(mind: Mind) -> None:
    stranger = full_text_query("a stranger's", "sentinel thoughts about tanks")
    assert await raw(mind, FOUND, words=stranger) == []
    forged = full_text_query("a stranger's", f"sentinel {namespace_key(mind.settings.namespace)}")
    assert await raw(mind, FOUND, words=forged) == []
