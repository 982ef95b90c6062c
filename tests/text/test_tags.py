"""Tags are kept or dropped by the list of known tags, regardless of case."""

import pytest

from legacymind.text.tags import kept_and_dropped


@pytest.mark.parametrize(
    ("tags", "known", "kept", "dropped"),
    [
        (["Plan", "会议", "a, b"], "*", ["Plan", "会议", "a, b"], []),
        (["dx", "DX", "Dx"], "*", ["dx"], []),
        (["PLAN", "secret", "idea", "Secret"], "plan,idea", ["plan", "idea"], ["secret"]),
        (["dx"], " DX , plan", ["DX"], []),
        (["x", "dx"], "*,DX", ["x", "DX"], []),
        (["x"], "", [], ["x"]),
        ([], "*", [], []),
    ],
)
def test_tags_are_kept_by_the_list(tags: list[str], known: str, kept: list[str], dropped: list[str]) -> None:
    assert kept_and_dropped(tags, known) == (kept, dropped)
