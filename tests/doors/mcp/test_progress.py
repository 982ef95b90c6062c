"""The progress of a call in numbers that always grow; ``test_http.py`` has a client that gets them."""

import time

import pytest

from legacymind.doors.mcp.progress import CallProgress, Notification


def test_progress_grows_when_a_total_was_too_low(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 1000, 50))
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    progress = CallProgress()
    sent: list[Notification] = []
    for done, total in ((5, 10), (10, 10), (11, 12), (12, 12), (13, 14)):
        progress("Verifying", done, total)
        sent.append(progress.notification("Running"))
    assert [each.progress for each in sent] == sorted({each.progress for each in sent})
    assert all(each.total is None or each.progress < each.total for each in sent)


def test_progress_grows_through_stages_and_while_nothing_advances() -> None:
    progress = CallProgress()
    sent = [progress.notification("Running")]
    for stage, done in (("Computing", 0), ("Computing", 0), ("Computing", 50), ("Storing", 10)):
        progress(stage, done, 100)
        sent += [progress.notification("Running"), progress.notification("Running")]
    progress("Storing", 100, 100)
    sent += [progress.notification("Running"), progress.notification("Running")]
    numbers = [each.progress for each in sent]
    assert numbers == sorted(numbers)
    assert len(set(numbers[1:-2])) == len(numbers) - 3
    assert [each.message for each in sent[1::2]] == [
        "Computing: 0 %",
        "Computing: 0 %",
        "Computing: 50 %",
        "Storing: 10 %",
        "Running",
    ]
    assert [each.total is None for each in sent] == [True, *[False] * 8, True, True]
    assert all(each.total is None or each.progress < each.total for each in sent)
