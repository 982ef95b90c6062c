"""Excerpts of long texts."""

import pytest

from legacymind.text.excerpts import excerpt


@pytest.mark.parametrize(
    ("content", "expected"), [("four", "four"), ("fives", "five…"), ("", ""), (None, "")]
)
def test_an_excerpt_ends_with_an_ellipsis_only_when_something_is_missing(
    content: str | None, expected: str
) -> None:
    assert excerpt(content, 4) == expected
