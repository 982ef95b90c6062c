"""The explorer opens, and shows what the memory has: the part of its tests that every run has."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from tests.explorer.axe import violations
from tests.explorer.conftest import Opened
from tests.explorer.sample import Served
from tests.steps import store_thought

pytestmark = pytest.mark.long


def test_the_first_page_shows_days_what_is_recalled_and_what_is_open(opened: Opened, served: Served) -> None:
    session = str(uuid.uuid4())
    for text, outcome in (("Decision: paint it.", None), ("Decision: weld it.", "success")):
        said = {"session_id": session, "thought_type": "decision", "content": text}
        made = served.run(served.mind.operations["thought_record"].call(said))
        if outcome:
            given = {"thought_id": made.thought.thought_id, "outcome": outcome}
            served.run(served.mind.operations["record_outcome"].call(given))
    stuck = "Stuck: nobody knows why valve 9 leaks."  # an outcome before would solve it
    served.run(store_thought(served.mind, stuck, session_id=session, hint="stuck"))
    page = opened("#/home")
    expect(page.locator(".bars .bar").last).to_be_visible()
    expect(page.locator("details", has_text="Stored")).to_contain_text(
        re.compile(r"\d+ sessions? · \d+ entit(y|ies) · \d+ facts?")
    )
    expect(page.locator("details", has_text="Unresolved")).to_contain_text(stuck)
    decisions = page.locator("details", has=page.get_by_role("heading", name="Decisions"))
    expect(decisions).to_contain_text("Decision: paint it.")
    expect(decisions).not_to_contain_text("Decision: weld it.")
    expect(page.locator("details", has_text="Recalled most").locator(".memory").first).to_contain_text("time")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 860})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations(page) == []
    page.get_by_role("link", name="Verify all chains").click()
    expect(page.locator(".session-card .name")).to_have_text([served.broken])
