"""The blind check: no finding of the frameworks on 60 texts is generic by the criterion of ``blind.py``."""

import pytest

from tests.text import blind

ANALYSES = [blind.asked(name, text) for name, text in blind.texts().items()]


def test_no_finding_is_generic() -> None:
    assert len(ANALYSES) == 60
    assert blind.generic(ANALYSES) == {}


def test_the_frameworks_are_not_silent() -> None:
    assert sum(bool(one.questions) for one in ANALYSES) >= 30
    assert sum(bool(one.insights) for one in ANALYSES) >= 12


def test_no_analysis_has_more_than_two_findings_of_a_kind() -> None:
    for one in ANALYSES:
        assert max(len(one.insights), len(one.questions), len(one.next_steps)) <= 2


@pytest.mark.parametrize(
    ("finding", "reason"),
    [
        ("What is this for?", "quotes nothing"),
        ("Why “the moon”?", "quotes what the text does not have: the moon"),
        ("What is “The pump” for here?", "the same after 5 of 5 shuffles of the words"),
    ],
)
def test_the_criterion_finds_generic_findings(
    monkeypatch: pytest.MonkeyPatch, finding: str, reason: str
) -> None:
    text = "The pump fails in 3 of 20 runs."
    generic = blind.Asked("x", text, [], [finding], [])
    monkeypatch.setattr(blind, "asked", lambda name, text: blind.Asked(name, text, [], [finding], []))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert blind.generic([generic]) == {("x", finding): reason}


def test_the_criterion_finds_a_question_that_many_texts_have() -> None:
    many = [
        blind.Asked(str(n), f"The pump number {n} fails.", [], [f"Why “pump number {n}”?"], [])
        for n in range(blind.MOST_SHARED + 1)
    ]
    assert set(blind.generic(many).values()) == {"the same for 4 texts"}
    assert blind.generic(many[1:]) == {}
