"""Questions about a time find the thoughts of that time among sixty about the same matter."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.steps import own_namespace
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
FIRST = datetime(2026, 9, 28, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
async def diary(engine_settings: Settings) -> AsyncIterator[Mind]:
    """A thought each day, as many as are candidates for ranking. Shared: the tests only read."""
    async with own_namespace(engine_settings, "session") as mind:
        days = [FIRST + timedelta(days=n) for n in range((NOW - FIRST).days + 1)]
        thoughts = [
            {"content": f"we changed the kettle plan {chr(97 + n // 10)}{chr(97 + n % 10)}x"}
            | {"created_at": day, "session_id": f"day {n}", "injection_scale": 0}
            for n, day in enumerate(days)
        ]
        await mind.operations["think_batch"].call({"thoughts": thoughts})
        await text_indexed(mind)
        yield mind


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("on Oct 3rd", "09-30", "10-06"),
        ("on Nov 3, 2026", "10-31", "11-06"),
        ("on 2026-10-14", "10-11", "10-17"),
        ("on 21.10.2026", "10-18", "10-24"),
        ("on 10/24/2026", "10-21", "10-27"),
        ("last Friday", "11-20", "11-20"),
        ("in the last 3 days", "11-23", "11-26"),
        ("ten days ago", "11-16", "11-16"),
        ("between Oct 3 and Oct 7", "10-03", "10-07"),
    ],
)
async def test_the_thoughts_of_the_time_that_is_meant_are_among_twenty(
    diary: Mind, asked: str, first: str, last: str
) -> None:
    query = {"query": f"What did we change in the kettle plan {asked}?", "as_of": NOW, "limit": 20}
    found = (await diary.operations["search_thoughts"].call(query)).hits
    dates = [f"{hit.created_at:%m-%d}" for hit in found]
    meant = (datetime.fromisoformat(f"2026-{last}") - datetime.fromisoformat(f"2026-{first}")).days + 1
    assert sum(first <= date <= last for date in dates) >= 0.8 * min(meant, 20), dates
