"""The order of newly stored thoughts, from the rows that reads return while others commit."""

from datetime import UTC, datetime, timedelta

from legacymind.services.nodes.arrivals import PAGE, Arrived, Reader, Sent

START = datetime(2026, 11, 23, tzinfo=UTC)
SLACK = timedelta(seconds=10)


def stored(session: str | None, step: int | None, seconds: float, *, after_unknown: bool = False) -> Arrived:
    return {
        "id": f"{session}-{step}-{seconds}",
        "session_id": session,
        "chain_id": None,
        "is_private": False,
        "stored_at": START + timedelta(seconds=seconds),
        "step": step,
        "after_unknown": after_unknown,
    }


def reads(reader: Reader, seconds: float, *found: Arrived) -> tuple[list[int | None], bool]:
    batch = reader.take({"now": START + timedelta(seconds=seconds), "found": list(found)})
    return [one["step"] for one in batch.thoughts], batch.complete


def test_a_step_that_a_read_saw_without_the_one_before_waits_for_the_next_read() -> None:
    reader = Reader("n", START, SLACK)
    assert reads(reader, 1, stored("a", 0, 0.5)) == ([0], True)
    assert reads(reader, 2, stored("a", 2, 1.5)) == ([], False)
    assert reads(reader, 2, stored("a", 1, 1.4), stored("a", 2, 1.5)) == ([1, 2], True)
    # Of a session that is not known, the server says whether there is a step before.
    assert reads(reader, 3, stored("b", 8, 2.5, after_unknown=True)) == ([], False)
    assert reads(reader, 3, stored("b", 7, 2.4), stored("b", 8, 2.5, after_unknown=True)) == ([7, 8], True)


def test_a_step_that_does_not_exist_is_not_waited_for() -> None:
    reader = Reader("n", START, SLACK)
    assert reads(reader, 1, stored("a", 0, 0.5)) == ([0], True)
    assert reads(reader, 2, stored("a", 2, 1.5)) == ([], False)
    assert reads(reader, 2, stored("a", 2, 1.5)) == ([2], True)


def test_a_read_begins_before_the_last_one_by_the_longest_transaction() -> None:
    reader = Reader("n", START, SLACK)
    reads(reader, 5, stored("a", 0, 4), stored(None, None, 4))
    assert reader.since == START  # never earlier than it began
    reads(reader, 13, stored("b", 0, 12))
    assert reader.since == START + timedelta(seconds=3)
    assert reader.steps.keys() == {"a", "b"}
    assert len(reader.single) == 1
    reads(reader, 20)
    assert reader.since == START + timedelta(seconds=10)
    assert reader.steps.keys() == {"b"}
    assert reader.single == {}


def test_a_full_page_is_continued_where_it_ended() -> None:
    reader = Reader("n", START, SLACK)
    steps, complete = reads(reader, 1000, *(stored("a", n, n / 10) for n in range(PAGE)))
    assert (steps, complete) == ([*range(PAGE)], False)
    assert reader.since == START + timedelta(seconds=(PAGE - 1) / 10)
    assert reads(reader, 1000, stored("a", PAGE, PAGE / 10)) == ([PAGE], True)


def test_steps_are_in_order_after_the_clock_of_the_server_was_set_back() -> None:
    reader = Reader("n", START, SLACK)
    found = [stored("a", 1, 1), stored("b", 0, 2), stored("a", 0, 5)]
    batch = reader.take({"now": START + timedelta(seconds=6), "found": found})
    assert [(one["session_id"], one["step"]) for one in batch.thoughts] == [("b", 0), ("a", 0), ("a", 1)]


def test_a_clock_that_was_set_back_hides_no_new_thoughts() -> None:
    reader = Reader("n", START, SLACK)
    assert reads(reader, 100, stored("a", 0, 99), stored("b", 0, 99.5)) == ([0, 0], True)
    assert reader.since == START + timedelta(seconds=90)
    hour = 3600
    assert reads(reader, 100 - hour) == ([], False)  # what was stored since lies before the moment asked for
    assert reader.parameters()["since"] == START + timedelta(seconds=90 - hour)
    assert reads(reader, 101 - hour, stored("a", 1, 100 - hour)) == ([1], True)
    assert reads(reader, 111 - hour, stored("a", 2, 110 - hour)) == ([2], True)


def test_a_position_says_what_was_sent() -> None:
    sent = Sent(START)
    for one in (stored("a", 3, 1), stored(None, None, 2), stored("a", 4, 3)):
        sent.add(one)
    again = Sent.at(sent.position())
    again.date(START + timedelta(seconds=9))
    assert again.has(stored("a", 4, 3))
    assert not again.has(stored("a", 5, 3))
    assert not again.has(stored("b", 0, 3))
    assert again.has(stored(None, None, 2))
    assert not again.has(stored(None, None, 2.5))
    again.forget(START + timedelta(seconds=10))
    assert again.position().steps == {}
    assert again.position().single == []
