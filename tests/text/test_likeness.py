"""The likeness of names."""

import pytest

from legacymind.text.likeness import likeness


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("Ada Lovelace", "ada  LOVELACE", 1, 1),
        ("Ada Lovelace", "Lovelace, Ada", 1, 1),
        ("Müller", "Muller", 1, 1),
        ("A. Lovelace", "Ada Lovelace", 0.9, 0.95),
        ("Postgres", "PostgreSQL", 0.8, 0.95),
        ("server 1", "server 2", 0, 0.3),
        ("kiln", "orchard", 0, 0.4),
    ],
)
def test_names_are_alike_by_their_letters(one: str, other: str, least: float, most: float) -> None:
    assert least <= likeness(one, other) <= most
    assert likeness(one, other) == likeness(other, one)
