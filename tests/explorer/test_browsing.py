"""What people do first in the explorer: find a session, an entity or a fact among many."""

import csv
import io
import json
import re
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.explorer.axe import violations
from tests.explorer.conftest import Opened
from tests.explorer.sample import Served
from tests.steps import store_thought

pytestmark = pytest.mark.slow

SIZES = re.compile(r"\d+ sessions? · \d+ entit(y|ies) · \d+ facts?")


def test_sessions_are_shown_latest_first_with_the_verdict_on_each(opened: Opened, served: Served) -> None:
    latest = f"latest {uuid.uuid4()}"
    served.run(store_thought(served.mind, "Begun just now.", session_id=latest))
    page = opened("#/sessions")
    expect(page.locator(".session-card .name").first).to_have_text(latest)
    broken = page.locator(".session-card", has_text=served.broken)
    expect(broken.locator(".verdict")).to_have_text("Chain broken")
    cards = page.locator(".session-card")
    expect(cards.locator(".verdict")).to_have_count(cards.count())
    expect(page.locator(".report")).to_have_text(re.compile(r"^\d+ sessions$"))
    assert violations(page) == []


def test_only_broken_sessions_are_shown_to_who_asks_for_them(opened: Opened, served: Served) -> None:
    page = opened("#/sessions")
    page.get_by_role("combobox", name="Chains").select_option("Broken ones only")
    expect(page.locator(".session-card .name")).to_have_text([served.broken])
    expect(page.locator(".report")).to_contain_text("Verified")
    page.get_by_role("searchbox", name="Find a session").fill("no such session")
    page.keyboard.press("Enter")
    expect(page.locator(".empty h2")).to_have_text("No such session")
    assert "chains=broken" in page.url


def test_sessions_are_found_by_author_and_by_a_word_of_the_first_thought(
    opened: Opened, served: Served
) -> None:
    page = opened("#/sessions")
    page.get_by_label("Author").fill("ines")
    page.keyboard.press("Enter")
    expect(page.locator(".session-card .name").first).to_have_text(re.compile("review$"))
    assert "author=ines" in page.url
    page = opened("#/sessions?q=SWITCHES WELD SHUT")
    expect(page.locator(".session-card .name")).to_have_text([served.broken])
    page.locator(".session-card").click()
    page.get_by_role("searchbox", name="Search in this session").fill("ratings")
    page.keyboard.press("Enter")
    expect(page.locator(".hit").first).to_contain_text("ratings")
    assert f"session={served.broken}" in page.url


def test_chains_of_many_steps_are_verified_when_one_says_so(
    opened: Opened, context: BrowserContext, served: Served
) -> None:
    def enlarge(route: Route) -> None:
        if "query Sessions(" not in (route.request.post_data or ""):
            return route.continue_()
        answer = route.fetch()
        return route.fulfill(response=answer, body=re.sub(r'"steps": ?\d+', '"steps": 9000', answer.text()))

    context.route("**/graphql", enlarge)
    page = opened("#/sessions")
    expect(page.locator(".session-card").first).to_be_visible()
    expect(page.locator(".verdict")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Verify")).click()
    broken = page.locator(".session-card", has_text=served.broken)
    expect(broken.locator(".verdict")).to_have_text("Chain broken")


def test_all_entities_are_shown_in_pages_with_their_number_and_by_type(
    opened: Opened, served: Served
) -> None:
    shelves = [{"name": f"Shelf {number}", "entity_type": "shelf"} for number in range(30)]
    served.run(served.mind.operations["remember"].call({"entities": shelves}))
    page = opened("#/knowledge")
    expect(page.locator(".report")).to_have_text(re.compile(r"^\d+ entities$"))
    pump = page.locator(".session-card", has_text="Pump 4")
    expect(pump.locator(".numbers")).to_have_text("1 fact")
    page.get_by_role("combobox", name="Type").select_option("shelf")
    expect(page.locator(".report")).to_have_text("30 entities")
    page.mouse.wheel(0, 100_000)
    expect(page.locator(".session-card")).to_have_count(30)
    assert "type=shelf" in page.url
    assert violations(page) == []


def test_all_facts_are_shown_and_those_about_an_entity(opened: Opened, served: Served) -> None:
    page = opened("#/knowledge")
    page.get_by_role("link", name="Facts", exact=True).click()
    expect(page.locator(".report")).to_have_text(re.compile(r"^\d+ facts$"))
    page.get_by_label("About").fill("pump 4")
    page.keyboard.press("Enter")
    expect(page.locator(".hit .text")).to_have_text(["It stops at 7 mm/s."])
    page.get_by_role("searchbox", name="Find a fact").fill("stops")
    page.keyboard.press("Enter")
    expect(page.locator(".hit mark").first).to_have_text("stops")
    assert violations(page) == []
    page = opened("#/knowledge?show=facts&about=pump 4")
    page.locator(".hit strong").get_by_role("link").click()
    expect(page.locator("h1")).to_have_text("Pump 4")


def test_the_graph_says_how_much_of_a_hub_is_drawn_and_draws_more(opened: Opened, served: Served) -> None:
    hub = f"Hub {uuid.uuid4()}"
    spokes = [
        {"source_entity": hub, "type": "FEEDS", "target_entity": f"Spoke {number}"} for number in range(45)
    ]
    made = served.run(served.mind.operations["remember"].call({"relations": spokes}))
    assert made.relations[0].id
    read = served.run(served.mind.operations["entity"].call({"name": hub}))
    page = opened(f"#/graph/{read.entity.id}")
    panel = page.locator(".panel")
    expect(panel).to_contain_text("Drawn: 20 of 45 relations.")
    panel.get_by_role("button", name="Draw more").click()
    expect(panel).to_contain_text("Drawn: 40 of 45 relations.")
    expect(page.locator(".as-list summary")).to_contain_text("41 nodes")
    panel.get_by_role("button", name="Draw more").click()
    expect(page.locator(".as-list summary")).to_contain_text("46 nodes")
    expect(panel.get_by_role("button", name="Draw more")).to_have_count(0)
    opened(f"#/knowledge/{read.entity.id}")


def test_a_part_of_the_first_page_that_fails_leaves_the_others(
    opened: Opened, context: BrowserContext, served: Served
) -> None:
    def fail(route: Route) -> None:
        if "query Unresolved" not in (route.request.post_data or ""):
            return route.continue_()
        errors = [{"message": "It took too long.", "extensions": {"code": "timeout"}}]
        return route.fulfill(json={"data": {"context": None}, "errors": errors})

    context.route("**/graphql", fail)
    page = opened("#/home")
    expect(page.locator("details", has_text="Unresolved")).to_contain_text("It took too long.")
    expect(page.locator("details", has_text="Stored")).to_contain_text("sessions")
    expect(page.locator(".arrival").first).to_be_visible()


def test_the_latest_days_are_in_sight_on_a_narrow_screen(opened: Opened, served: Served) -> None:
    for ago in range(25):
        moment = (datetime.now(UTC) - timedelta(days=ago)).isoformat()
        served.run(store_thought(served.mind, f"{ago} days ago.", session_id="days", created_at=moment))
    page = opened("#/home", width=390)
    expect(page.locator(".bars .bar").last).to_be_in_viewport()


def test_an_empty_namespace_names_others_with_what_they_have(opened: Opened, served: Served) -> None:
    page = opened("#/home?ns=nobody-here")
    other = page.locator(".others li").first
    expect(other).to_contain_text(SIZES)
    name = other.locator("a").inner_text()
    other.locator("a").click()
    expect(page).to_have_url(re.compile(re.escape(f"ns={quote(name)}")))


def test_the_engine_that_stops_is_noticed_without_a_new_thought(
    context: BrowserContext, served: Served
) -> None:
    page = context.new_page()
    page.goto(f"{served.base}/#/home")
    expect(page.locator(".pulse")).to_have_text("New thoughts appear here")
    context.route("**/readyz", lambda route: route.fulfill(status=503, json={}))
    expect(page.locator(".pulse")).to_contain_text("The connection is lost")
    context.unroute("**/readyz")
    expect(page.locator(".pulse")).to_have_text("New thoughts appear here")


def test_a_namespace_that_the_token_does_not_show_is_said_once(
    context: BrowserContext, served: Served
) -> None:
    asked = list[str]()
    page = context.new_page()

    def refuse(route: Route) -> None:
        asked.append(route.request.post_data or "")
        errors = [{"message": "Only demo.", "extensions": {"code": "refused"}}]
        route.fulfill(json={"errors": errors})

    page.route("**/graphql", refuse)
    page.goto(f"{served.base}/#/home?ns=edge")
    expect(page.locator(".pulse")).to_contain_text("Your token does not show this namespace.")
    expect(page.locator(".pulse a")).to_have_attribute("href", "#/home")
    page.wait_for_timeout(3000)
    assert sum("subscription" in text for text in asked) == 1


def test_another_namespace_keeps_the_search_and_leads_from_a_session_to_sessions(
    opened: Opened, served: Served
) -> None:
    other = f"other-{uuid.uuid4()}"
    served.run(store_thought(served.mind, "Elsewhere.", session_id="elsewhere", namespace=other))
    for view, leads in (
        ("search?q=pump", r"#/search\?.*q=pump"),
        (f"session/{served.session}", "#/sessions"),
    ):
        page = opened(f"#/{view}")
        menu = page.get_by_role("combobox", name="Namespace")
        if menu.evaluate("(one) => one.tagName") == "SELECT":
            menu.select_option(other)
        else:  # other tests have made more namespaces than a menu has
            menu.fill(other)
            menu.press("Enter")
        expect(page).to_have_url(re.compile(leads))
        expect(page).to_have_url(re.compile(re.escape(f"ns={other}")))


def test_every_filter_of_the_address_is_shown_and_can_be_removed(opened: Opened, served: Served) -> None:
    begin = "2020-01-01T10:00:00.000Z"
    page = opened(f"#/search?q=tank&from={begin}&tag=nothing&mode=debug")
    chips = page.locator(".chips a")
    expect(chips).to_have_text(
        [re.compile("^mode debug"), re.compile("^tag nothing"), re.compile("^from 1 Jan 2020")]
    )
    expect(page.locator("[name=from]")).to_have_value("2020-01-01")
    page.keyboard.press("/")
    page.get_by_role("searchbox").fill("oxygen")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=oxygen.*from=2020-01-01T10"))
    chips.nth(1).click()
    expect(chips).to_have_count(2)
    assert "tag=" not in page.url


def test_a_search_whose_hits_are_all_shown_counts_nothing(opened: Opened) -> None:
    page = opened("#/search?q=zxqv")
    expect(page.get_by_role("button", name="Download")).to_be_visible()
    expect(page.locator(".facet-list section")).to_have_count(0)


@pytest.mark.parametrize(
    ("view", "kind"), [("why", "thought"), ("graph", "node"), ("session", "session"), ("knowledge", "entity")]
)
def test_what_does_not_exist_is_named_without_an_alarm(view: str, kind: str, opened: Opened) -> None:
    page = opened(f"#/{view}/nowhere")
    expect(page.locator(".empty h2")).to_have_text(f"No such {kind}")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_session_names_its_days_and_the_times_of_its_steps(opened: Opened, served: Served) -> None:
    session = f"three hours {uuid.uuid4()}"
    for moment in ("2026-03-01T10:15:00Z", "2026-03-01T12:45:00Z", "2026-03-02T09:00:00Z"):
        served.run(store_thought(served.mind, f"At {moment}.", session_id=session, created_at=moment))
    page = opened(f"#/session/{session}")
    expect(page.locator(".today")).to_have_text(["1 Mar 2026", "2 Mar 2026"])
    expect(page.locator(".step time").first).to_have_text(re.compile(r"^\d\d:15$"))
    expect(page.get_by_role("link", name="Tree")).to_be_hidden()


def test_days_and_numbers_are_in_the_language_of_the_page(browser: Browser, served: Served) -> None:
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    page.goto(f"{served.base}/#/knowledge/{served.entity}")
    expect(page.locator(".span .soft").first).to_contain_text("1 Jun 2026")
    context.close()


def test_the_text_of_a_hit_has_its_own_direction(opened: Opened, served: Served) -> None:
    served.run(store_thought(served.mind, "المضخة 9 تتوقف.", session_id="right to left"))
    page = opened("#/search?session=right to left")
    text = page.locator(".hit a.text")
    assert text.evaluate("(one) => getComputedStyle(one).unicodeBidi") == "plaintext"


def test_a_printed_session_has_all_its_steps(opened: Opened, served: Served) -> None:
    page = opened(f"#/session/{served.session}")
    page.emulate_media(media="print")
    shown = page.locator(".step").first.evaluate("(one) => getComputedStyle(one).contentVisibility")
    assert shown == "visible"


def downloaded(page: Page, name: str) -> str:
    """The text of the file that a button makes."""
    with page.expect_download() as made:
        page.get_by_role("button", name=name).click()
    return Path(made.value.path()).read_bytes().decode()


def test_a_session_is_downloaded_as_lines_to_import_and_as_markdown(opened: Opened, served: Served) -> None:
    page = opened(f"#/session/{served.broken}")
    lines = downloaded(page, "Download as JSON Lines").splitlines()
    assert json.loads(lines[0])["kind"] == "header"
    other = f"test-{uuid.uuid4()}"
    mapped = lines[:1]
    for line in lines[1:]:
        told = json.loads(line)
        renamed = {
            name: f"copy-{value}" if name in {"id", "previous_thought_id"} else value
            for name, value in told.items()
        }
        mapped.append(json.dumps(renamed))
    imported = served.run(served.mind.import_lines(mapped, namespace=other))
    assert imported.thoughts == len(mapped) - 1
    text = downloaded(page, "Download as Markdown")
    assert text.startswith(f"# {served.broken}\n\n## Step 0 · atlas · ")
    assert "\n> Question: why did the heaters' switches weld shut?" in text


def test_hits_are_downloaded_as_csv_in_which_no_text_is_a_formula(opened: Opened, served: Served) -> None:
    texts = [f'{sign}HYPERLINK("http://elsewhere.example") sum, "quoted"' for sign in "=+-@"]
    for text in texts:
        served.run(store_thought(served.mind, text, session_id="formulas", author="=1+1"))
    page = opened("#/search?session=formulas")
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Download"))))
    assert sorted(row["text"] for row in rows) == sorted(f"'{text}" for text in texts)
    assert {row["author"] for row in rows} == {"'=1+1"}
