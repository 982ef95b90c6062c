"""The blind check: no finding of the frameworks on 60 texts is generic by the criterion of ``blind.py``."""

from tests.text import blind

ANALYSES = [blind.asked(name, text) for name, text in blind.texts().items()]


def test_no_finding_is_generic() -> None:
    assert len(ANALYSES) == 60
    assert blind.generic(ANALYSES) == {}


def test_the_frameworks_are_not_silent() -> None:
    assert sum(bool(one.questions) for one in ANALYSES) >= 30
    assert sum(bool(one.insights) for one in ANALYSES) >= 12
