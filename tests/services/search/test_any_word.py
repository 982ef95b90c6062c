"""Every word of a stored text finds it, searched unchanged, in 44 scripts; accents and case do not matter."""

import unicodedata
import uuid
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from legacymind.mind import Mind
from legacymind.text.words import STOP_WORDS, content_words
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio

SCRIPTS: Final = {
    "Latin": "A-z",
    "Latin with accents": "À-ɏ",
    "Vietnamese": "Ạ-ỹ",
    "Greek": "Ͱ-Ͽ",
    "Cyrillic": "Ѐ-ӿ",
    "Armenian": "Ա-և",
    "Hebrew": "\u0591-ת",
    "Arabic": "\u0610-ۓ",
    "Syriac": "ܐ-\u074a",
    "Thaana": "ހ-\u07b0",
    "N'Ko": "ߊ-\u07f3",
    "Devanagari": "\u0900-ॿ",
    "Bengali": "\u0981-ৱ",
    "Gurmukhi": "\u0a01-ੴ",
    "Gujarati": "\u0a81-૯",
    "Oriya": "\u0b01-୯",
    "Tamil": "\u0b82-௯",
    "Telugu": "\u0c01-౯",
    "Kannada": "\u0c82-೯",
    "Malayalam": "\u0d02-൯",
    "Sinhala": "\u0d82-\u0df3",
    "Thai": "ก-๙",
    "Lao": "ກ-ໝ",
    "Tibetan": "ༀ-ཬ",
    "Burmese": "က-\u109d",
    "Georgian": "ა-ჺ",
    "Hangul": "가-힣",
    "Ethiopic": "ሀ-ፚ",
    "Cherokee": "Ꭰ-Ᏼ",
    "Canadian syllabics": "ᐁ-ᙬ",
    "Runic": "ᚠ-ᛪ",
    "Tagalog": "ᜀ-\u1714",
    "Khmer": "ក-\u17d3",
    "Mongolian": "ᠠ-ᡷ",
    "Limbu": "ᤀ-\u193b",
    "Balinese": "\u1b00-\u1b44",
    "Sundanese": "\u1b80-ᮯ",
    "Ol Chiki": "ᱚ-ᱽ",
    "Hiragana": "ぁ-ゖ",
    "Katakana": "ァ-ヺ",
    "Han": "一-鿋",
    "Yi": "ꀀ-ꒌ",
    "Javanese": "\ua980-\ua9c0",
    "Full-width": "０-ｚ",
}
"""The first and last characters of scripts; those between them that are no parts of words are left out."""

JOINERS: Final = ["", ".", "_", "-", "'", "’", ":", "/", "@", "\u200c", ",", "+"]


def _parts(script: str) -> st.SearchStrategy[str]:
    """Words of a script, in composed or decomposed letters."""
    first, last = SCRIPTS[script][0], SCRIPTS[script][-1]
    letters = st.characters(min_codepoint=ord(first), max_codepoint=ord(last), categories=("L", "M", "Nd"))
    composed = st.text(letters, min_size=2, max_size=10)
    decomposed = composed.map(lambda part: unicodedata.normalize("NFD", part))
    return (composed | decomposed).filter(lambda part: unicodedata.category(part[0])[0] in "LN")


@st.composite
def words(draw: st.DrawFn) -> str:
    """One to three parts, of one script mostly, and what joins them in names, numbers and addresses."""
    parts = draw(st.lists(st.sampled_from([*SCRIPTS]).flatmap(_parts), min_size=1, max_size=3))
    joiners = draw(st.lists(st.sampled_from(JOINERS), min_size=3, max_size=3))
    return "".join(part + joiner for part, joiner in zip(parts[:-1], joiners, strict=False)) + parts[-1]


async def unfound(mind: Mind, wanted: list[str]) -> list[str]:
    """The words that do not find their text."""
    namespace = f"{mind.settings.namespace}-{uuid.uuid4()}"
    texts = [f"number {n}, ({word}), noted" for n, word in enumerate(wanted)]
    facts = [{"entity": "words", "content": text} for text in texts]
    await mind.operations["remember"].call({"observations": facts, "namespace": namespace})
    await text_indexed(mind)
    missed: list[str] = []
    for word, text in zip(wanted, texts, strict=True):
        asked = {"query": word, "method": "text", "namespace": namespace}
        found = await mind.operations["search"].call(asked)
        if text not in [hit.text for hit in found.hits]:
            missed.append(word)
    return missed


KANA: Final = (0x3099, 0x309A)
"""Marks of a script without spaces, whose words are pairs of characters."""

WRITTEN: Final = """
192.168.0.1 10.0.0.1:8080 foo.bar main.py example.com Node.js 3.14 1,299.99 12.03.2026
12:30 O'Brien O’Brien x:y 2.5GB v1.2.3 snake_case_name __init__ _private
kebab-case-name camelCaseName HTTPServer a/b/c.txt C++ .NET node:fs #hashtag
@scope/pkg user@example.com E=mc² x² ½ ﬁne ＡＢＣ don't rock'n'roll l’eau Ada’ll who 🎉 ☕
👨‍👩‍👧 👍🏽 ❤️ 🇩🇪 1️⃣ हिन्दी विद्यार्थी বাংলা ধন্যবাদ தமிழ் తెలుగు नेपाली සිංහල မြန်မာ
ខ្មែរ שָׁלוֹם צה"ל مُحَمَّد می‌خواهم كتاب café naïve Müller straße Ångström ภาษาไทย
ສະບາຍດີ 한국어 日本語 カタカナ ｺｰﾋｰ 汉字 佐々木 Ёлка ΟΔΟΣ Հայերեն አማርኛ བོད་ཡིག İstanbul ığdır Dvořák
Łódź Øre
""".split()


async def test_what_people_write_is_found(mind: Mind) -> None:
    decomposed = [
        unicodedata.normalize("NFD", word)
        for word in ("Cafés", "Dvořákova", "Việt", "ラジオガイド", "がくせい")
    ]
    long = ["x" * 100, "y" * 300, "0123456789abcdef" * 8]
    assert await unfound(mind, [*WRITTEN, *decomposed, *long]) == []


@given(st.lists(words(), min_size=20, max_size=30))
@example(["हिन्दी.भाषा", "שָׁלוֹם-עולם", "می\u200cخواهم", "A.ก"])
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.slow
async def test_any_word_in_any_script_is_found(mind: Mind, wanted: list[str]) -> None:
    rare: dict[str, set[str]] = {}
    for word in wanted:
        own = {*content_words(word)} - STOP_WORDS
        if own and not own & set().union(*rare.values()):
            rare[word] = own
    assert await unfound(mind, [*rare]) == []


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("cafe", "café"),
        ("café", "cafe"),
        ("CAFÉ", unicodedata.normalize("NFD", "café")),
        ("Dvorak", "Dvořák"),
        ("lodz", "Łódź"),
        ("Strasse", "Straße"),
        ("שלום", "שָׁלוֹם"),
        ("محمد", "مُحَمَّد"),
        ("میخواهم", "می\u200cخواهم"),
        ("елка", "Ёлка"),
        ("οδος", "ΟΔΌΣ"),
        ("istanbul", "İSTANBUL"),
        ("O'Brien", "O’Brien"),
        ("O’Brien", "O'Brien"),
        ("brien", "O'Brien"),
        ("コーヒー", "ｺｰﾋｰ"),
        ("abc", "ＡＢＣ"),
        ("tokens", "max_tokens"),
        ("init", "__init__"),
        ("run", "dry-run"),
        ("user", "getUserName"),
        ("server", "HTTPServer"),
        ("path", "os.path"),
        ("example", "https://www.example.com/a"),
        ("GB", "2.5GB"),
        ("müller", "Grüße.Müller"),
        ("1.2.3", "v1.2.3"),
        ("❤", "❤️"),
    ],
)
async def test_accents_forms_and_parts_find_the_word(mind: Mind, asked: str, written: str) -> None:
    for content in (f"noted {written} today", "another note"):
        await mind.operations["think"].call({"content": content})
    await text_indexed(mind)
    found = await mind.operations["search"].call({"query": asked, "method": "text"})
    assert [hit.text for hit in found.hits] == [f"noted {written} today"]


async def test_an_address_among_its_likes_is_the_first_hit(mind: Mind) -> None:
    talk = "The deploy began at noon. We restarted the workers twice, and the queue drained in ten minutes. "
    notes = [f"Note {n}. {talk * 3}The host 10.0.{n % 4}.{n} was slow. {talk * 3}" for n in range(120)]
    facts = [{"entity": "log", "content": note} for note in notes]
    await mind.operations["remember"].call({"observations": facts})
    await text_indexed(mind)
    found = await mind.operations["search"].call({"query": "10.0.1.77", "method": "text"})
    assert ["host 10.0.1.77 was" in hit.text for hit in found.hits] == [True]


@pytest.mark.parametrize("asked", ["→", "to-be", "the", "∑ ⇒", "a.m. →"])
async def test_what_has_no_word_for_full_text_finds_nothing(mind: Mind, asked: str) -> None:
    """Lucene drops such a term; the query must not match all texts of the namespace."""
    await mind.operations["think"].call({"content": "a note of something else"})
    await text_indexed(mind)
    found = await mind.operations["search"].call({"query": asked, "method": "text"})
    assert found.hits == []


def test_every_combining_mark_belongs_to_its_word() -> None:
    marks = [
        chr(code)
        for code in range(0x110000)
        if unicodedata.category(chr(code))[0] == "M" and code not in KANA
    ]
    assert len(marks) > 2000
    cut = [f"{ord(mark):x}" for mark in marks if len(content_words(f"ab{mark}cd")) != 1]
    assert cut == []
