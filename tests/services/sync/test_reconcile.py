"""What becomes of two changes depends on neither their order nor how often they come."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind import files
from legacymind.services.sync.reconcile import Row, moves, reconciled, travelling

_START = datetime(2026, 1, 1, tzinfo=UTC)
TIMES = st.integers(0, 5).map(lambda minutes: _START + timedelta(minutes=minutes))
WORDS = st.lists(st.sampled_from("abc"), unique=True, min_size=1).map(sorted)

ROWS = st.fixed_dictionaries(
    {"id": st.just("x"), "changed_at": TIMES},
    optional={
        "description": st.sampled_from(("one", "two")),
        "valid_to": TIMES,
        "salience": st.floats(0, 1),
        "outcomes": WORDS,
        "recorded_at": TIMES,
        "stated_at": TIMES,
        "merged_at": TIMES,
        "merged_reason": st.sampled_from(("same", "typo")),
    },
)


@given(ROWS, ROWS, ROWS)
def test_rows_are_reconciled_the_same_in_every_order_and_however_often(
    one: Row, two: Row, three: Row
) -> None:
    both = reconciled(one, two)
    assert both == reconciled(two, one)
    assert reconciled(both, three) == reconciled(one, reconciled(two, three))
    assert reconciled(both, one) == reconciled(both, both) == both


def test_the_later_change_wins_and_nothing_united_is_lost() -> None:
    here: dict[str, Any] = {
        "changed_at": _START,
        "description": "old",
        "outcomes": ["a 1"],
    }
    there = {"changed_at": _START + timedelta(seconds=1), "outcomes": ["b 2"], "merged_at": _START}
    found = reconciled(here, there)
    assert "description" not in found
    assert found["outcomes"] == ["a 1", "b 2"]
    assert found["merged_at"] == _START


PLACED = st.fixed_dictionaries(
    {"entity_id": st.sampled_from("ab"), "changed_at": TIMES}, optional={"merged_from": st.just("c")}
)


@given(PLACED, PLACED)
def test_of_two_places_both_homes_choose_the_same(one: Row, two: Row) -> None:
    if one["entity_id"] != two["entity_id"]:
        assert moves(one, two) != moves(two, one)
    if one["changed_at"] < two["changed_at"]:
        assert moves(one, two)


def test_what_a_home_has_for_itself_does_not_travel() -> None:
    own = {"id": "x", "trust": 3, "noted_at": _START, "embedding_a_at": _START, "lock": 0, "hot": None}
    assert travelling({**own, "fact_key": "digest own-id"}) == {"id": "x", "fact_key": "digest"}


CHANGED = {
    *("think/store_thoughts", "think/record_outcome", "think/pin_thought", "think/relate_thought"),
    *("knowledge/remember_entities", "knowledge/remember_observations", "knowledge/remember_relations"),
    *("knowledge/merge_entities", "forget/clear_texts", "forget/delete_knowledge", "forget/redact_thoughts"),
    *("trust/quarantine_nodes", "trust/release_nodes", "trust/confirm_node", "maintain/adopt_nodes"),
    *("maintain/cool_thoughts", "maintain/restore_thoughts", "sync/remove"),
}
OTHERS = {
    *("analysis", "schema", "transfer", "sync", "browser"),  # of one home, or set by what comes
}
"""The rooms whose statements change nothing that a user of this home did."""

TRAVELS = (
    "hot",
    "pinned",
    "salience",
    "curated",
    "valid_to",
    "standing",
    "playbook",
    "description",
)


@pytest.mark.parametrize("file", sorted(files.path("cypher").glob("[a-z]*/*.cypher")), ids=str)
def test_every_statement_that_changes_what_travels_says_so(file: Path) -> None:
    name = f"{file.parent.name}/{file.stem}"
    text = file.read_text(encoding="utf-8")
    assert ("// part: changed(" in text) == (name in CHANGED)
    if file.parent.name not in {*OTHERS, "_parts"} and name not in CHANGED:
        written = [line for line in text.splitlines() if "SET " in line]
        assert not [line for line in written for each in TRAVELS if f".{each} =" in line], name
