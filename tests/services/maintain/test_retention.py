"""The curator's judgement: what raises a value, and what no value decides."""

from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from legacymind.services.maintain.retention import ActiveThought, Judgement, judge

NOW = datetime(2026, 11, 1, tzinfo=UTC)
USUAL: dict[str, Any] = {
    "id": "x",
    "session_id": "s",
    "door": "python",
    "thought_type": "question",
    "is_private": False,
    "salience": 0.5,
    "outcome": None,
    "accesses": 0,
    "used_at": (NOW - timedelta(days=365)).isoformat(),
    "pinned": False,
    "standing": False,
    "playbook": False,
    "unresolved": False,
    "visible": True,
    "text": "",
}


def judged(**facts: Any) -> Judgement:
    return judge(cast("ActiveThought", USUAL | facts), NOW)


def test_a_value_is_from_0_to_1_and_each_part_raises_it() -> None:
    used_now = {"used_at": NOW.isoformat()}
    assert judged(salience=0.0, outcome=-1.0).value == pytest.approx(0, abs=1e-5)
    assert judged(**used_now, salience=1.0, outcome=1.0, accesses=100).value == pytest.approx(1)
    usual = judged().value
    assert usual == pytest.approx(0.35 * 0.5 + 0.15 * 0.5, abs=1e-4)
    for better in (used_now, {"salience": 0.6}, {"outcome": 0.1}, {"accesses": 1}):
        assert judged(**better).value > usual
    assert judged(accesses=1_000).value == judged(accesses=100).value
    month = {"used_at": (NOW - timedelta(days=30)).isoformat()}
    assert judged(**month).value - usual == pytest.approx(0.25 / 2.71828, abs=1e-4)


def test_verdicts_follow_from_the_value_and_name_its_parts() -> None:
    assert judged().verdict == "crystallise"
    assert judged(accesses=20).verdict == "keep"
    failed = judged(salience=0.3, outcome=-1.0)
    assert (failed.verdict, failed.protected) == ("dump", False)
    assert failed.reason == "not used for 365 days, recalled 0 times, salience 0.30, outcome -1.0"


@pytest.mark.parametrize("shield", ["pinned", "standing", "playbook", "unresolved"])
def test_what_is_protected_stays_whatever_its_value(shield: str) -> None:
    judgement = judged(salience=0.0, **{shield: True})
    assert (judgement.verdict, judgement.protected) == ("keep", True)


def test_a_summary_of_the_curator_is_protected_and_one_of_somebody_else_is_not() -> None:
    assert judged(door="curator", thought_type="summary").protected
    assert not judged(door="curator").protected
    assert not judged(thought_type="summary").protected
    assert judged(salience=None, used_at=None).verdict == "keep"  # written by hand: as if used now
