"""Standing preferences and instructions are recognised, and statements of the moment are not."""

import json

import pytest

from legacymind.text.standing import WEIGHTS, is_standing
from scripts.train_standing import sentences


def test_what_is_recognised_among_sentences_that_training_never_saw_is_a_preference() -> None:
    held = sentences("held")
    found = [stated for text, stated in held if is_standing(text)]
    assert sum(found) >= 0.95 * len(found)
    assert sum(found) >= 0.4 * sum(stated for _, stated in held)
    assert not {text for text, _ in held} & {text for text, _ in sentences("train")}


def test_there_are_at_most_500_weights() -> None:
    assert len(json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]) <= 500


@pytest.mark.parametrize(
    "text",
    [
        "From now on, answer in German.",
        "Always run the linter before a commit.",
        "Please remember that I prefer tea.",
        "Thanks! That works. Never touch production without asking first.",
        "The user prefers short answers.",
    ],
)
def test_a_preference_is_recognised_in_any_sentence_unless_an_assistant_says_it(text: str) -> None:
    assert is_standing(text)
    assert is_standing(text, "user")
    assert not is_standing(text, "Assistant")
    assert not is_standing(f"{text} {'The report follows. ' * 40}")  # a long text is a report


@pytest.mark.parametrize("text", ["", "?!", "The deploy failed again.", "Thanks, see you tomorrow!"])
def test_other_statements_are_none(text: str) -> None:
    assert not is_standing(text)


@pytest.mark.parametrize("text", ["Priya prefers Slack to email.", "Most of our nurses prefer night shifts."])
def test_what_somebody_else_prefers_is_none(text: str) -> None:
    assert not is_standing(text)
    assert is_standing("The user prefers Slack to email.")


def test_where_the_user_lives_is_none() -> None:
    assert not any(map(is_standing, ("Lives in Lyon.", "user Lives in Lyon.", "The user lives in Kyoto.")))
