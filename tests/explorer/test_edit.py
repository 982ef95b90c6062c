"""What a person changes in the explorer: each change says what it stores, and only who may write sees any."""

import re
import uuid
from pathlib import Path

import pytest
from graphql import build_schema, parse, validate
from playwright.sync_api import BrowserContext, Page, Route, expect

from legacymind import files
from legacymind.calls import calling
from tests.explorer.axe import violations
from tests.explorer.conftest import Opened
from tests.explorer.sample import Served
from tests.steps import store_thought

pytestmark = pytest.mark.slow

TEXT = "The gauge of the spare pump reads low."


@pytest.fixture
def thought(served: Served) -> str:
    """A new thought in a session of its own."""
    return served.run(store_thought(served.mind, TEXT, session_id=f"spare {uuid.uuid4()}"))


def changed(page: Page, title: str, button: str, **fields: str) -> Page:
    """Fill the form of a change and send it."""
    page.locator(".edits").get_by_role("button", name=title, exact=True).click()
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog).to_contain_text(re.compile("Stores: |Removes: "))
    for name, value in fields.items():
        field = dialog.locator(f"[name={name}]")
        if field.evaluate("field => field.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)
    dialog.get_by_role("button", name=button, exact=True).click()
    return page


def closed(page: Page, told: str) -> None:
    """Read what was stored, and return to the view."""
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text(told)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


@pytest.mark.parametrize("mutation", ["edit", "mayWrite"])
def test_nothing_of_it_is_shown_to_who_may_only_read(
    opened: Opened, context: BrowserContext, served: Served, thought: str, mutation: str
) -> None:
    def refuse(route: Route) -> None:
        if "query MayWrite" not in (route.request.post_data or ""):
            route.continue_()
        elif mutation == "edit":
            route.fulfill(json={"data": {"mayWrite": False}})
        else:
            route.fulfill(json={"errors": [{"message": "Busy.", "extensions": {"code": "busy"}}]})

    context.route("**/graphql", refuse)
    for view in (f"#/why/{thought}", f"#/session/{served.session}", f"#/knowledge/{served.entity}"):
        page = opened(view)
        with page.expect_response(lambda one: "mayWrite" in (one.request.post_data or "")):
            page.reload()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        expect(page.locator(".edits button")).to_have_count(0)


def test_a_thought_gets_a_note_a_correction_and_an_outcome(
    opened: Opened, served: Served, thought: str
) -> None:
    page = opened(f"#/why/{thought}")
    changed(page, "Add a note", "Add a note", content="Ask Ines about it.", author="Bo")
    closed(page, "The note is stored.")
    changed(page, "Correct", "Correct", content="The gauge of the spare pump reads high.")
    closed(page, "The revision is stored.")
    expect(page.locator(".asked .links")).to_have_text("revised by step 2")
    changed(page, "Outcome", "Outcome", outcome="failure")
    closed(page, "Its weight in recall was 0.")
    page.locator(".asked").get_by_role("link", name=re.compile("^spare")).click()
    expect(page.locator(".step .prose")).to_have_text(
        [TEXT, "Ask Ines about it.", "The gauge of the spare pump reads high."]
    )
    expect(page.locator(".verdict")).to_have_text("Chain intact")
    expect(page.locator(".step").nth(2)).to_contain_text("revises step 0")
    expect(page.locator(".step").nth(0)).to_contain_text("revised by step 2")
    expect(page.locator(".step").nth(0)).to_contain_text("outcome -1.00")


def test_a_thought_is_pinned_and_related(opened: Opened, served: Served, thought: str) -> None:
    page = opened(f"#/why/{thought}")
    changed(page, "Pin", "Pin")
    closed(page, "It is pinned.")
    expect(page.locator(".asked .tag", has_text="pinned")).to_be_visible()
    changed(page, "Unpin", "Unpin")
    closed(page, "It is no longer pinned.")
    changed(page, "Relate", "Relate", targetId="nowhere", type="REFERENCES")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("nowhere")
    page.get_by_role("dialog").locator("[name=targetId]").fill(served.entity)
    assert violations(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Relate").click()
    closed(page, "The relation is stored.")
    expect(page.locator(".asked .links")).to_contain_text("references")


def test_what_an_agent_said_is_confirmed(opened: Opened, served: Served) -> None:
    async def said() -> str:
        with calling(agent=True, door="mcp"):
            return await store_thought(served.mind, TEXT, session_id=f"spare {uuid.uuid4()}")

    page = opened(f"#/why/{served.run(said())}")
    expect(page.locator(".asked .byline")).to_contain_text("agent")
    changed(page, "Confirm", "Confirm")
    closed(page, "It is confirmed.")
    expect(page.locator(".asked .byline")).to_contain_text("agent, confirmed by the user")
    expect(page.locator(".edits").get_by_role("button", name="Confirm")).to_have_count(0)


def test_a_redaction_and_a_removal_show_their_plan_first(
    opened: Opened, served: Served, thought: str
) -> None:
    page = opened(f"#/why/{thought}")
    changed(page, "Forget", "Show the plan", reason="asked for")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".planned")).to_contain_text("thought: 1")
    dialog.get_by_role("button", name="Cancel").click()
    page.reload()
    expect(page.locator(".asked")).to_contain_text(TEXT)
    changed(page, "Redact", "Show the plan", reason="asked for")
    expect(dialog.locator(".planned blockquote")).to_have_text(TEXT)
    dialog.get_by_role("button", name="Redact for good").click()
    closed(page, "Its text is removed.")
    expect(page.locator(".asked .prose")).to_have_text("The text was removed.")


def test_a_removal_names_what_goes_and_ends_with_its_view(
    opened: Opened, served: Served, thought: str
) -> None:
    page = opened("#/home")
    page.goto(f"{served.base}/#/why/{thought}")
    changed(page, "Forget", "Show the plan", reason="asked for")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", level=2)).to_contain_text(TEXT)
    button = dialog.get_by_role("button", name="Forget for good")
    bad = page.locator("h1").evaluate(
        "(one) => ((one.style.color = 'var(--bad)'), getComputedStyle(one).color)"
    )
    assert button.evaluate("(one) => getComputedStyle(one).backgroundColor") == bad
    page.go_back()
    expect(page.locator("h1")).to_have_text("Home")
    expect(dialog).to_have_count(0)


def test_a_form_that_closes_before_the_answer_shows_what_was_stored(
    opened: Opened, context: BrowserContext, served: Served, thought: str
) -> None:
    waiting = list[Route]()

    def hold(route: Route) -> None:
        if "EditThink" in (route.request.post_data or ""):
            waiting.append(route)
        else:
            route.continue_()

    context.route("**/graphql", hold)
    session = served.run(served.mind.operations["get"].call({"id": thought})).thought.session_id
    page = opened(f"#/session/{session}")
    changed(page, "Add a note", "Add a note", content="Stored late.")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("Storing …")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    waiting[0].continue_()
    expect(page.locator(".step").last).to_contain_text("Stored late.")


def test_a_fact_is_added_and_ended_and_an_entity_is_forgotten(opened: Opened, served: Served) -> None:
    name = f"Valve {uuid.uuid4()}"
    made = served.run(served.mind.operations["remember"].call({"entities": [{"name": name}]}))
    page = opened(f"#/knowledge/{made.entities[0].id}")
    changed(page, "Add a fact", "Add a fact", content="It is green.", validFrom="2026-01-01T10:00")
    closed(page, "The fact is stored.")
    expect(page.locator(".span .said")).to_contain_text("still true")
    ended = {"content": "It is green.", "validFrom": "2026-01-01T10:00", "validTo": "2026-02-01T10:00"}
    changed(page, "Add a fact", "Add a fact", **ended)
    closed(page, "Its time is changed.")
    expect(page.locator(".span .said")).not_to_contain_text("still true")
    changed(page, "Forget", "Show the plan", reason="asked for")
    expect(page.get_by_role("dialog").locator(".planned")).to_contain_text("It is green.")
    page.get_by_role("dialog").get_by_role("button", name="Forget for good").click()
    closed(page, "It is forgotten.")
    expect(page.locator(".empty h2")).to_have_text("No such entity")


@pytest.mark.parametrize(
    "path", sorted(files.path("explorer", "queries", "edit").glob("*.graphql")), ids=lambda path: path.stem
)
def test_a_change_is_a_valid_mutation(path: Path) -> None:
    schema = build_schema(files.text("graphql", "schema.graphql"))
    document = parse(path.read_text(encoding="utf-8"))
    assert validate(schema, document) == []
    assert "mutation" in path.read_text(encoding="utf-8")
