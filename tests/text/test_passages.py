"""Text for the embedder."""

import pytest

from legacymind.text.passages import for_embedding, of_entity, of_fact


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
def test_the_embedder_gets_clean_prose(content: str, seen: str) -> None:
    assert for_embedding(content, technical=False) == seen


def test_a_technical_mode_keeps_its_code() -> None:
    assert for_embedding("before\n```py\ncode()\n```", technical=True) == "before ```py code() ```"


@pytest.mark.parametrize("content", ["```\ncode\n```", "\x00", "\x00\x01 \n", "~~~\n~~~"])
def test_the_original_is_embedded_if_nothing_else_is_left(content: str) -> None:
    assert for_embedding(content, technical=False) == content


def test_an_entity_is_embedded_with_its_type_and_description() -> None:
    assert of_entity("Ada", "person", "wrote the first program") == "Ada (person) - wrote the first program"
    assert of_entity("Ada", "person", None) == "Ada (person)"
    assert of_entity("Ada", "", "a name") == "Ada - a name"


def test_a_fact_is_embedded_with_the_name_of_its_entity() -> None:
    assert of_fact("Ada", "lives in London") == "Ada: lives in London"
