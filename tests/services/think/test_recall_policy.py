"""The recall policy by scale, mode and submode."""

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from legacymind.embed.base import Thresholds
from legacymind.model.base import Mode, Submode
from legacymind.services.recall.policy import RECALLS_CAP, WEIGHTS, RecallPolicy, Weights, policy_for
from legacymind.settings import Settings
from legacymind.settings.by_mode import MODES

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ALWAYS = datetime(1, 1, 1, tzinfo=UTC)
MODEL = Thresholds(knowledge=(0.50, 0.60, 0.70), thoughts=(0.80, 0.75, 0.70, 0.65, 0.60), floor=0.15)


def reached(
    scale: int, mode: Mode = "build", submode: Submode | None = None, settings: Settings | None = None
) -> RecallPolicy:
    return policy_for(scale, mode, submode, NOW, MODEL, settings or Settings())


BY_THRESHOLDS = Settings(recall="thresholds")


@pytest.mark.parametrize(
    ("scale", "knowledge_k", "thoughts_k", "window", "knowledge", "thoughts", "by_words"),
    [
        (1, 5, 2, timedelta(hours=24), 0.5, 0.8, 0),
        (2, 10, 5, timedelta(days=7), 0.6, 0.75, 0),
        (3, 20, 8, timedelta(days=30), 0.7, 0.7, 5),
        (4, 20, 12, None, 0.7, 0.65, 5),
        (5, 20, 20, None, 0.7, 0.6, 5),
    ],
)
def test_by_thresholds_the_scales_are_those_of_the_specification(
    scale: int,
    knowledge_k: int,
    thoughts_k: int,
    window: timedelta | None,
    knowledge: float,
    thoughts: float,
    by_words: int,
) -> None:
    far = reached(scale, settings=BY_THRESHOLDS)
    assert (far.knowledge_k, far.thoughts_k, far.by_words) == (knowledge_k, thoughts_k, by_words)
    assert (far.knowledge.threshold, far.thoughts.threshold) == (knowledge, thoughts)
    assert far.knowledge.strict
    assert far.thoughts.strict
    assert far.since == far.reach == (ALWAYS if window is None else NOW - window)
    assert (far.window, far.floor) == (window, 0.15)


@pytest.mark.parametrize(
    ("scale", "opening", "most", "window"),
    [
        (1, 0.5175, 3, timedelta(hours=24)),
        (2, 0.465, 8, timedelta(days=7)),
        (3, 0.43, 12, timedelta(days=30)),
        (4, 0.395, 16, None),
        (5, 0.36, 24, None),
    ],
)
def test_by_relatedness_the_score_decides_and_no_window_excludes(
    scale: int, opening: float, most: int, window: timedelta | None
) -> None:
    far = reached(scale)
    assert far.thoughts.threshold == pytest.approx(opening)
    assert far.knowledge == far.thoughts
    assert (far.thoughts.zero, far.thoughts.strict, far.thoughts_k) == (0.15, False, most)
    assert far.since == (ALWAYS if window is None else NOW - window)
    assert (far.reach, far.window, far.by_words) == (ALWAYS, None, 0)
    assert far.pool >= far.thoughts_k


def test_scale_0_and_adderall_recall_nothing() -> None:
    for far in (reached(0), reached(0, submode="adderall")):
        assert (far.scale, far.knowledge_k, far.thoughts_k) == (0, 0, 0)


@pytest.mark.parametrize("scale", [1, 2, 3, 4, 5])
def test_a_stuck_thought_recalls_few_thoughts(scale: int) -> None:
    assert reached(scale, "stuck").thoughts_k == 3
    assert reached(scale, "stuck", settings=Settings(thoughts_k="7,7,7,7,7")).thoughts_k == 7


@pytest.mark.parametrize(
    ("submode", "delta"),
    [("sarcastic", -0.05), ("philosophical", 0.0), ("empathetic", 0.02), ("problem_solving", 0.0)],
)
def test_a_submode_moves_both_thresholds(submode: Submode, delta: float) -> None:
    moved = reached(2, submode=submode)
    assert moved.knowledge.threshold == pytest.approx(0.465 + delta)
    assert moved.thoughts.threshold == pytest.approx(0.465 + delta)
    assert moved.thoughts.zero == 0.15
    fixed = reached(2, submode=submode, settings=Settings(submode_tuning=False))
    assert (fixed.knowledge.threshold, fixed.thoughts.threshold) == pytest.approx((0.465, 0.465))


def test_a_moved_threshold_stays_between_0_and_099_and_above_zero_relatedness() -> None:
    low = reached(1, submode="sarcastic", settings=BY_THRESHOLDS.changed(t1=0.02)).knowledge
    high = reached(1, submode="empathetic", settings=BY_THRESHOLDS.changed(t1=0.985)).knowledge
    assert (low.threshold, high.threshold) == (0.0, 0.99)
    assert low.zero < low.threshold
    even = reached(2, settings=Settings(floor=0.8)).thoughts  # a floor above the model's t1
    assert even.zero < even.threshold


def test_thresholds_set_by_hand_replace_those_of_the_model_even_zero() -> None:
    settings = BY_THRESHOLDS.changed(t1=0.0, t2=0.41, t3=0.42, floor=0.0)
    by_hand = [reached(scale, settings=settings).knowledge for scale in (1, 2, 3, 4, 5)]
    assert [found.threshold for found in by_hand] == [0.0, 0.41, 0.42, 0.42, 0.42]
    assert reached(1, settings=settings).floor == 0.0
    assert reached(1, settings=settings.changed(t1=None)).knowledge.threshold == 0.50
    assert not reached(1, settings=settings.changed(recall="relatedness")).knowledge.strict


def test_a_window_before_year_1_begins_at_year_1() -> None:
    for scale in range(1, 6):
        early = policy_for(scale, "build", None, ALWAYS + timedelta(hours=1), MODEL, Settings())
        assert early.since == ALWAYS


def test_the_weights_of_every_mode_add_up_to_one_with_the_taus_of_003() -> None:
    for weights in WEIGHTS.values():
        whole = weights.similarity + weights.recency + weights.salience + weights.access
        assert whole == pytest.approx(1.0)
    days = {mode: weights.tau / 86_400 for mode, weights in WEIGHTS.items()}
    assert days == {"question": 3, "conclude": 3, "plan": 14, "build": 21, "debug": 30, "stuck": 30}
    assert WEIGHTS["question"].recency == 0.25
    assert WEIGHTS["plan"].salience == 0.35
    assert RECALLS_CAP == 8


def test_settings_change_amounts_and_weights_for_all_modes_or_one() -> None:
    own = Settings(
        thoughts_k="1,2,3,4,5; debug=9,9,9,9,9",
        knowledge_k="plan=7,7,7,7,7",
        weights="debug=.7,.1,.1,.1,2",
        candidates=50,
    )
    assert [reached(scale, settings=own).thoughts_k for scale in range(6)] == [0, 1, 2, 3, 4, 5]
    assert reached(2, "debug", settings=own).thoughts_k == 9
    assert [reached(2, mode, settings=own).knowledge_k for mode in ("plan", "build")] == [7, 10]
    assert [reached(scale, settings=own).pool for scale in (1, 5)] == [40, 50]
    assert reached(1, "debug", settings=own).weights == Weights(0.7, 0.1, 0.1, 0.1, 2 * 86_400)
    assert reached(1, "plan", settings=own).weights == WEIGHTS["plan"]
    assert reached(0, settings=own).knowledge_k == 0


def test_the_modes_of_settings_are_those_of_thoughts() -> None:
    assert set(MODES) == set(get_args(Mode))


def test_adderall_with_a_scale_recalls_one_thought_of_the_last_five_minutes() -> None:
    far = reached(5, submode="adderall")
    assert (far.scale, far.knowledge_k, far.thoughts_k, far.lateral) == (0, 0, 1, ())
    assert (far.via, far.since, far.reach) == ("recent", NOW - timedelta(minutes=5), far.since)
    assert (far.thoughts.threshold, far.thoughts.strict) == (far.floor, True)


@pytest.mark.parametrize(
    ("scale", "types"), [(3, ()), (4, ("ASSOCIATES",)), (5, ("ASSOCIATES", "REFERENCES"))]
)
def test_lateral_relations_are_walked_from_scale_4(scale: int, types: tuple[str, ...]) -> None:
    assert reached(scale).lateral == types
    doubting = policy_for(scale, "build", None, NOW, MODEL, Settings(), contradictions=True)
    assert doubting.lateral == (*types, "CONTRADICTS")
    assert (reached(scale).contradiction, doubting.contradiction) == (-0.1, 0.0)


def test_playbooks_suffice_when_stuck_and_match_similar_problems_in_debug_too() -> None:
    assert {reached(2, mode).playbooks for mode in WEIGHTS} == {3}
    assert reached(0, "stuck").playbooks == 0
    assert [mode for mode in WEIGHTS if reached(2, mode).playbooks_suffice] == ["stuck"]
    similar = {mode: reached(3, mode).similar_problem for mode in WEIGHTS}
    assert {mode for mode, cosine in similar.items() if cosine <= 1} == {"debug", "stuck"}
    assert similar["stuck"] == MODEL.knowledge[0]


def test_a_submode_has_a_tie_break_unless_tuning_is_off() -> None:
    names = {submode: reached(2, submode=submode).tie_break for submode in get_args(Submode)}
    assert {submode: favour and favour.name for submode, favour in names.items()} == {
        "sarcastic": "contrarian",
        "philosophical": "abstract",
        "empathetic": "emotional",
        "problem_solving": "solution",
        "adderall": None,
    }
    plain = policy_for(2, "build", "sarcastic", NOW, MODEL, Settings(submode_tuning=False))
    assert plain.tie_break is None


def test_candidates_are_capped_by_the_setting() -> None:
    far = policy_for(5, "build", None, NOW, MODEL, Settings(candidates=7))
    assert (far.pool, far.knowledge_k) == (7, 7)
