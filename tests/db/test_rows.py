from dataclasses import dataclass
from typing import Any, TypedDict

from neo4j import Record

from legacymind.db.rows import maker


@dataclass(frozen=True)
class Fact:
    id: str
    text: str = ""


class Facts(TypedDict):
    more: bool
    facts: list[Fact]


def test_a_record_or_a_map_has_the_columns_by_name() -> None:
    record = Record({"id": "a", "text": "A fact."})
    assert maker(Fact)(record) == Fact("a", "A fact.")
    assert maker(dict[str, Any])(record) == {"id": "a", "text": "A fact."}


def test_a_tuple_has_the_columns_in_their_order() -> None:
    record = Record({"id": "a", "facts": [{"id": "b"}], "first": None})
    assert maker(tuple[str, list[Fact], Fact | None])(record) == ("a", [Fact("b")], None)


def test_any_other_type_is_that_of_the_only_column() -> None:
    assert maker(int)(Record({"count": 3})) == 3
    assert maker(list[Fact])(Record({"facts": [{"id": "b"}]})) == [Fact("b")]


def test_records_are_made_inside_of_a_map() -> None:
    assert maker(Facts)(Record({"more": True, "facts": [{"id": "b"}]})) == {
        "more": True,
        "facts": [Fact("b")],
    }
