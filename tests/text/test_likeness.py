"""The likeness of names."""

import pytest

from legacymind.text.likeness import ACRONYM, INITIALS, ORDER, OTHER_NUMBER, OTHER_WORD, PART, likeness


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("neo4j-driver", "Neo4j Driver", 1.0, 1.0),
        ("Zoë Kravitz", "zoe  kravitz", 1.0, 1.0),
        ("data base", "database", 1.0, 1.0),
        ("Lovelace, Ada", "Ada Lovelace", ORDER, ORDER),
        ("A. Lovelace", "Ada Lovelace", INITIALS, INITIALS),
        ("NYC", "New York City", ACRONYM, ACRONYM),
        ("USA", "the United States of America", ACRONYM, ACRONYM),
        ("Ada", "Ada Lovelace", PART, PART),
        ("PostgreSQL", "Postgres", 0.85, 0.95),
        ("server 1", "server 2", 0.0, OTHER_NUMBER),
        ("Rob Smith", "Robert Smith", 0.8, 0.9),
        ("data centre", "data center", 0.85, 0.95),
        ("Main bus A", "Main bus B", 0.0, OTHER_WORD),
        ("LM ascent stage", "LM descent stage", 0.0, OTHER_WORD),
        ("Alice Smith", "Alice Jones", 0.0, OTHER_WORD),
        ("Ada Lovelace", "Charles Babbage", 0.0, 0.5),
        ("A. B.", "Anna Berg", 0.0, 0.7),  # initials alone name nobody
        ("東京", "東京", 1.0, 1.0),
        ("!!", "?!", 0.0, 0.0),
    ],
)
def test_names_are_alike_in_both_directions(one: str, other: str, least: float, most: float) -> None:
    assert least <= likeness(one, other) <= most
    assert likeness(one, other) == likeness(other, one)
