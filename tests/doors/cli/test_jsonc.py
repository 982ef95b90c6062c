"""A member of a JSON text with comments changes, and nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind.doors.cli.install.jsonc import (
    NotJson,
    delete_items,
    delete_member,
    read,
    set_item,
    set_member,
)

PATH = ("servers", "legacymind")
ENTRY = {"command": "/opt/legacymind", "args": ["mcp"]}

COMMENTED = """\
// Settings, see "https://example.com" {
{
    /* the theme */ "theme": "dark", // not "light"
    "servers": {
        "other": {"command": "x", "args": ["a", "b",],}, // keep
    },
    "url": "http://x/*y*/ // z",
}
"""

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def test_comments_order_and_trailing_commas_stay() -> None:
    changed = set_member(COMMENTED, PATH, ENTRY)
    added = [line for line in changed.splitlines() if line not in COMMENTED.splitlines()]
    assert [line for line in COMMENTED.splitlines() if line not in changed.splitlines()] == []
    assert added[0] == '        "legacymind": {'
    assert read(changed)["servers"] == {"other": {"command": "x", "args": ["a", "b"]}, "legacymind": ENTRY}
    assert read(changed)["url"] == "http://x/*y*/ // z"
    assert set_member(changed, PATH, ENTRY) == changed
    assert read(set_member(changed, PATH, {"args": []}))["servers"]["legacymind"] == {"args": []}
    assert read(delete_member(changed, PATH)) == read(COMMENTED)
    assert "// keep" in delete_member(changed, PATH)


@pytest.mark.parametrize("text", ["", " \n", "{}", "{\n}\n", '{"a": 1}', '{\r\n\t"a": {"b": []}\r\n}\r\n'])
def test_objects_on_the_way_are_created_and_removed(text: str) -> None:
    changed = set_member(text, PATH, ENTRY)
    before: dict[str, Any] = read(text) if text.strip() else {}
    assert json.loads(changed) == before | {"servers": {"legacymind": ENTRY}}
    assert read(delete_member(changed, PATH)) == before
    assert ("\r\n" in changed) == ("\r\n" in text)


@given(st.dictionaries(st.text(), json_values, max_size=4), json_values, st.sampled_from([None, 1, 4, "\t"]))
def test_every_object_gets_and_loses_a_member(
    before: dict[str, Any], value: Any, indent: int | str | None
) -> None:
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    changed = set_member(text, ("legacymind",), value)
    assert json.loads(changed) == before | {"legacymind": value}
    without = {name: each for name, each in before.items() if name != "legacymind"}
    assert json.loads(delete_member(changed, ("legacymind",))) == without


def ours(item: Any) -> bool:
    return isinstance(item, dict) and "legacymind" in item


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"a": 1}',
        '{"hooks": {"Stop": []}}',
        '{"hooks": {"Stop": [ // mine\n  {"x": 1}, // keep\n]}}',
        '{"hooks": {"Stop": [\r\n\t{"x": 1}\r\n]}}',
    ],
)
def test_a_list_gets_and_loses_an_item(text: str) -> None:
    before: dict[str, Any] = read(text) if text.strip() else {}
    items: list[Any] = before.get("hooks", {}).get("Stop", [])
    path = ("hooks", "Stop")
    changed = set_item(text, path, {"legacymind": [1]}, ours)
    assert read(changed)["hooks"]["Stop"] == [*items, {"legacymind": [1]}]
    assert [line for line in text.splitlines() if "//" in line and line not in changed.splitlines()] == []
    assert set_item(changed, path, {"legacymind": [1]}, ours) == changed
    again = set_item(changed, path, {"legacymind": 2}, ours)
    assert read(again)["hooks"]["Stop"] == [*items, {"legacymind": 2}]
    without = read(delete_items(again, path, ours))
    assert without == (before if items or not before.get("hooks") else {})
    assert delete_items(text, path, ours) == text


@given(st.lists(json_values, max_size=4), st.lists(st.booleans(), min_size=5, max_size=5))
def test_every_list_loses_exactly_our_items(values: list[Any], mine: list[bool]) -> None:
    items = [{"legacymind": each} if own else each for each, own in zip(values, mine, strict=False)]
    text = json.dumps({"a": items, "b": 1})
    rest = [each for each in items if not ours(each)]
    changed = read(delete_items(text, ("a",), ours))
    assert changed == ({"a": rest, "b": 1} if rest or not items else {"b": 1})


@pytest.mark.parametrize(
    "text", ["[]", "5", "{", '{"a" 1}', '{"servers": 5}', '{"a": 1 "b": 2}', "{'a': 1}", "x"]
)
def test_what_is_no_object_is_an_error(text: str) -> None:
    with pytest.raises(NotJson):
        set_member(text, PATH, ENTRY)
