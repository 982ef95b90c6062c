"""Each view of the explorer in a headless Chromium, and its documents, on one sample memory."""

import json
import re
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from graphql import GraphQLSchema, build_schema, parse, validate
from playwright.sync_api import BrowserContext, Route, expect

from legacymind import files
from legacymind.mind import Mind
from tests.explorer.conftest import Opened
from tests.explorer.sample import HOSTILE, Served
from tests.services.chain.chains import branch, make
from tests.steps import store_thought
from tests.wire import noted_statements, raw

pytestmark = pytest.mark.slow


def address(served: Served, view: str) -> str:
    """The address of a view that has something to show."""
    return {
        "home": "#/home",
        "sessions": "#/sessions",
        "session": f"#/session/{served.session}",
        "broken": f"#/session/{served.broken}",
        "tree": f"#/session/{served.session}?show=tree",
        "timeline": f"#/session/{served.session}?show=timeline",
        "search": "#/search?q=why did the oxygen tank fail",
        "why": f"#/why/{served.asked}",
        "knowledge": f"#/knowledge/{served.entity}",
        "graph": f"#/graph/{served.asked}",
        "compare": f"#/compare/{served.entity}",
    }[view]


def test_a_broken_step_is_red_and_says_what_was_changed(opened: Opened, served: Served) -> None:
    page = opened(address(served, "broken"))
    expect(page.locator(".verdict.bad")).to_have_text("Chain broken")
    expect(page.locator(".step.broken .number")).to_have_text(["2"])
    expect(page.locator(".step.broken .fault")).to_contain_text("the content was changed")
    expect(page.locator(".step.verified")).to_have_count(3)
    colours = page.locator(".step.broken .card, .step.verified .card").evaluate_all(
        "cards => cards.map((card) => getComputedStyle(card).borderTopColor)"
    )
    assert len(set(colours)) == 2
    page = opened(f"{address(served, 'broken')}?show=tree")
    expect(page.locator(".leaf.broken .number")).to_have_text(["2"])


def test_a_fault_and_every_step_have_a_link_from_which_the_session_is_shown(
    opened: Opened, served: Served
) -> None:
    page = opened(address(served, "broken"))
    page.get_by_role("link", name="To the first fault").click()
    expect(page.locator(".thread .number").first).to_have_text("2")
    assert "step=2" in page.url
    expect(page.locator(".gap")).to_have_count(0)
    page.get_by_role("link", name="Show all steps").click()
    expect(page.locator(".thread .number").first).to_have_text("0")
    page.locator(".thread .number").nth(3).click()
    expect(page.locator(".thread .number").first).to_have_text("3")
    page.goto(page.url.replace("step=3", "step=third"))
    expect(page.locator(".problem")).to_contain_text("must be a number")


async def _continued_apart(mind: Mind) -> None:
    """A session of six steps, and one more after the third that came from elsewhere."""
    chain = await make(mind, "apart")
    (there,) = await branch(chain, 2, ["four elsewhere"])
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.replica = '0123456789'", id=there)
    await store_thought(mind, "six", session_id="apart")


def test_a_session_with_branches_shows_where_each_goes_on(opened: Opened, served: Served) -> None:
    served.run(_continued_apart(served.mind))
    page = opened("#/session/apart")
    expect(page.locator(".about")).to_contain_text("7 steps on 2 branches")
    expect(page.locator(".verdict")).to_have_text("Chain intact")
    expect(page.locator(".thread .number")).to_have_text(["0", "1", "2", "3", "4", "3", "5"])
    apart = ["On another branch, after step 2", "On another branch, after step 4"]
    expect(page.locator(".thread .soft")).to_have_text(apart)
    expect(page.locator(".thread .byline").filter(has_text="home 01234567")).to_have_count(1)
    expect(page.locator(".gap")).to_have_count(0)


def test_an_entity_with_more_facts_than_a_page_shows_the_others(opened: Opened, served: Served) -> None:
    facts = [{"entity": "Archive", "content": f"Shelf {number} is full."} for number in range(105)]
    for part in (facts[:60], facts[60:]):
        served.run(served.mind.operations["remember"].call({"observations": part}))
    read = served.mind.operations["entity"].call({"name": "Archive"})
    page = opened(f"#/knowledge/{served.run(read).entity.id}")
    heading = page.locator("h2.section")
    expect(heading).to_have_text("Facts (100 of 105)")
    page.get_by_role("button", name="Show more").click()
    expect(heading).to_have_text("Facts (105)")
    expect(page.locator(".span")).to_have_count(105)
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()


def test_the_timeline_has_the_days_without_thoughts_and_its_bars_lead_to_thoughts(
    opened: Opened, served: Served
) -> None:
    session = f"{served.session}-days"
    for day, text in ((1, "The first day."), (4, "The fourth day."), (4, "Later on the fourth day.")):
        moment = f"2026-03-0{day}T1{day}:00:00Z"
        served.run(store_thought(served.mind, text, session_id=session, created_at=moment))
    page = opened(f"#/session/{session}?show=timeline&unit=DAY")
    expect(page.locator(".bars li")).to_have_count(4)
    expect(page.locator(".bars .count")).to_have_text(["1", "2"])
    page.locator(".bars .bar").last.click()
    expect(page.locator(".hit .text")).to_have_text([re.compile("fourth day")] * 2)
    page = opened(f"#/session/{session}?show=timeline&unit=MINUTE")
    expect(page.locator(".bars .pause")).to_have_attribute(
        "title", re.compile("No thought in 4,[0-9]{3} minutes")
    )


def test_a_session_grows_as_it_is_scrolled(opened: Opened, served: Served) -> None:
    page = opened(address(served, "session"))
    expect(page.locator(".verdict.good")).to_have_text("Chain intact")
    expect(page.locator(".step")).to_have_count(30)
    page.mouse.wheel(0, 100_000)
    page.locator(".step").nth(29).scroll_into_view_if_needed()
    expect(page.locator(".step.verified")).to_have_count(32)


def test_a_tree_shows_every_level(opened: Opened, served: Served) -> None:
    parent, session = None, str(uuid.uuid4())
    for level in range(13):
        said = {"session_id": session, "parent_id": parent}
        parent = served.run(store_thought(served.mind, f"Level {level}.", **said))
    page = opened(f"#/session/{session}?show=tree")
    expect(page.locator(".leaf")).to_have_count(13)
    expect(page.locator(".tree > li")).to_have_count(1)
    expect(page.locator(".leaf").last).to_contain_text("Level 12.")


def test_a_session_shows_its_steps_and_why_its_chain_could_not_be_read(
    opened: Opened, context: BrowserContext, served: Served
) -> None:
    def fail(route: Route) -> None:
        if "SessionChain" in (route.request.post_data or ""):
            route.fulfill(json={"errors": [{"message": "Too busy.", "extensions": {"code": "busy"}}]})
        else:
            route.continue_()

    context.route("**/graphql", fail)
    page = opened(address(served, "session"))
    expect(page.locator(".report .problem")).to_contain_text("Too busy.")
    expect(page.locator(".step").first).to_be_visible()


def test_texts_of_the_memory_are_never_html(opened: Opened, served: Served) -> None:
    served.run(store_thought(served.mind, HOSTILE, session_id=served.hostile))  # the latest of the live view
    for view in (f"#/session/{served.hostile}", "#/home", "#/search?q=reflection limit"):
        page = opened(view)
        expect(page.get_by_text(HOSTILE).first).to_be_visible()
        assert page.locator("main img, main script").count() == 0
        assert "stolen" not in page.title()
        page.close()


def test_search_marks_words_and_narrows_by_facets_in_an_address_to_share(
    opened: Opened, served: Served
) -> None:
    page = opened("#/search")
    page.get_by_role("searchbox").fill("oxygen tank")
    page.keyboard.press("Enter")
    expect(page.locator(".hit mark").first).to_have_text(re.compile("oxygen|tank", re.IGNORECASE))
    page.locator(".facet-list").get_by_role("link", name=re.compile("^fact")).click()
    expect(page.locator(".chips")).to_contain_text("kind fact")
    assert page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('kind')") == "observation"
    found = page.locator(".hit .kind")
    expect(found.first).to_have_text("fact")
    shared = opened(page.url.removeprefix(f"{served.base}/"))
    expect(shared.locator(".hit")).to_have_count(found.count())


def test_why_shows_the_parts_of_each_score_and_what_was_missed(opened: Opened, served: Served) -> None:
    page = opened(address(served, "why"))
    first = page.locator(".why-memory").first
    expect(first.locator(".rank")).to_have_text("#1")
    assert re.search(
        r"Score 0\.\d\d: similarity 0\.\d+", first.get_by_role("img").get_attribute("aria-label") or ""
    )
    expect(page.locator(".missed").first.locator(".reason")).not_to_be_empty()


def test_a_thought_appears_while_one_looks(opened: Opened, context: BrowserContext, served: Served) -> None:
    asked = list[str]()
    context.on("request", lambda request: asked.append(request.post_data or ""))
    page = opened("#/home")
    expect(page.locator(".arrival")).to_have_count(10)
    # The early request is the only one, and cards come with what they brought to mind.
    assert sum("query Latest" in text for text in asked) == 1
    expect(page.locator(".recalled h2")).to_have_count(10)
    expect(page.locator(".pulse")).to_have_text("New thoughts appear here")
    text = "A thought that arrives while the page is open."
    served.run(store_thought(served.mind, text, session_id=str(uuid.uuid4())))
    expect(page.locator(".arrival").first).to_contain_text(text)
    expect(page.locator(".arrival").first).to_contain_text("Brought nothing to mind")
    page.get_by_role("link", name="Sessions").click()
    expect(page.locator(".session-card").first).to_be_visible()
    page.get_by_role("link", name="Home").click()
    expect(page.locator(".arrival").first).to_contain_text(text)


def test_what_failed_while_the_server_was_away_is_read_again_when_it_is_back(
    opened: Opened, context: BrowserContext
) -> None:
    away = True

    def fail(route: Route) -> None:
        if away:
            route.fulfill(json={"errors": [{"message": "Away.", "extensions": {"code": "unreachable"}}]})
        else:
            route.continue_()

    context.route("**/graphql", fail)
    page = opened("#/home")
    expect(page.locator(".pulse")).to_contain_text("The connection is lost")
    expect(page.locator(".end .problem")).to_be_visible()
    away = False
    expect(page.locator(".arrival")).not_to_have_count(0)
    expect(page.locator(".problem")).to_have_count(0)
    expect(page.locator(".pulse")).to_have_text("New thoughts appear here")


def test_knowledge_shows_what_was_true_at_a_moment(opened: Opened, served: Served) -> None:
    page = opened(f"#/knowledge/{served.entity}?at=2026-03-01")
    expect(page.locator("output")).to_contain_text("1 of 3 hold")
    expect(page.locator(".span.past a").first).to_have_text("It stops at 7 mm/s.")
    page.get_by_role("slider").press("End")
    expect(page.locator("output")).to_have_text("Now: 2 of 3 hold")


def test_compare_shows_what_ended_and_what_is_new(opened: Opened, served: Served) -> None:
    page = opened(f"#/compare/{served.entity}?then=2026-05-01T00:00:00Z")
    expect(page.locator(".gone .belief a")).to_have_text(["It stops at 11 mm/s."])
    expect(page.locator(".new .belief a")).to_have_text(["It stops at 7 mm/s.", "compared with Apollo 13"])
    # Moments that nobody chose are in the address, too.
    assert re.search(r"then=2026-05-01.*&now=\d{4}-", page.url)


def test_comparing_a_search_tells_what_is_revised_from_what_others_outrank(
    opened: Opened, context: BrowserContext, served: Served
) -> None:
    def store(text: str, **options: Any) -> str:
        return served.run(store_thought(served.mind, text, session_id=f"{served.broken}-pump", **options))

    april = "2026-04-01T00:00:00Z"
    old = store("Pump 4 stops at 9 mm/s, says the manual.", created_at=april)
    store("Pump 4 hums at night.", created_at=april)
    store("Pump 4 stops at 8 mm/s: it is another model.", revises_thought=old)
    store("Pump 4 hums at night when nobody listens.")
    page = opened("#/compare?q=pump 4 stops&then=2026-05-01T00:00:00Z")
    expect(page.locator(".gone")).to_contain_text("It stops at 11 mm/s.")
    expect(page.locator(".gone .belief", has_text="9 mm/s, says the manual")).to_contain_text("revised")
    expect(page.locator(".new")).to_contain_text("It stops at 7 mm/s.")
    expect(page.locator(".new")).to_contain_text("8 mm/s: it is another model")
    expect(page.locator(".kept")).to_contain_text("Pump 4 hums at night.")
    expect(page.locator(".kept")).not_to_contain_text("mm/s")
    # With one hit at each time, the newer thought takes the place of the older one.
    context.route(
        "**/graphql",
        lambda route: route.continue_(
            post_data=re.sub(r"(limit|first): 30\b", r"\1: 1", route.request.post_data or "")
        ),
    )
    page = opened("#/compare?q=pump 4 hums at night when nobody listens&then=2026-05-01T00:00:00Z")
    expect(page.locator(".new .belief a").first).to_have_text("Pump 4 hums at night when nobody listens.")
    expect(page.locator(".kept .belief a").first).to_have_text("Pump 4 hums at night.")
    expect(page.locator(".gone .count")).to_have_text("0")


def test_the_graph_grows_at_a_node_and_its_address_keeps_what_it_shows(
    opened: Opened, served: Served
) -> None:
    page = opened(f"#/graph/{served.entity}")
    if page.locator(".drawn .empty").count():
        pytest.skip("needs Maven Central (Cytoscape)")
    expect(page.locator(".drawn canvas").first).to_be_visible()
    summary = page.locator(".as-list summary")
    expect(summary).to_contain_text(": 3 nodes")
    summary.click()
    page.get_by_role("button", name="Apollo 13", exact=True).click()
    page.get_by_role("button", name="Show neighbours").click()
    expect(summary).not_to_contain_text(": 3 nodes")
    again = opened(page.url.removeprefix(f"{served.base}/"))
    expect(again.locator(".panel .prose")).to_have_text(re.compile("^Apollo 13"))
    expect(again.locator(".as-list summary")).to_have_text(summary.inner_text())


def test_without_its_library_the_graph_says_so_and_is_a_list(context: BrowserContext, served: Served) -> None:
    said = {"error": {"code": "download_failed", "message": "cytoscape could not be downloaded."}}
    page = context.new_page()
    page.route("**/explorer/lib/**", lambda route: route.fulfill(status=503, json=said))
    page.goto(f"{served.base}/#/graph/{served.entity}")
    expect(page.locator(".drawn")).to_contain_text("cytoscape could not be downloaded.")
    expect(page.locator(".as-list summary")).to_contain_text("3 nodes")


def test_a_view_shows_its_query_in_graphql_and_cypher(opened: Opened, served: Served) -> None:
    page = opened(address(served, "why"))
    page.get_by_role("button", name="Show the query").click()
    sources = page.get_by_role("dialog").locator("pre")
    expect(page.get_by_role("dialog")).to_contain_text("cypher/search/read_recall.cypher")
    texts = sources.all_inner_texts()
    assert any(text.startswith("# What a thought recalled") and "# cypher" not in text for text in texts)
    assert any(f":param namespace => '{served.mind.settings.namespace}';" in text for text in texts)
    assert any(served.asked in text for text in texts)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_token_is_asked_for_and_sent_with_each_request(context: BrowserContext, served: Served) -> None:
    page = context.new_page()

    def guard(route: Route) -> None:
        if route.request.headers.get("authorization") == "Bearer lm_secret":
            route.continue_(headers={k: v for k, v in route.request.headers.items() if k != "authorization"})
        else:
            extensions = {"code": "token_missing"}
            said = {"errors": [{"message": "The server requires a token.", "extensions": extensions}]}
            route.fulfill(status=401, json=said)

    page.route("**/graphql", guard)
    page.goto(f"{served.base}/#/sessions")
    expect(page.get_by_role("alert")).to_contain_text("This server needs a token")
    page.get_by_role("button", name="Enter it").click()
    page.get_by_role("textbox", name="Token").fill("lm_mistyped")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("This token is unknown")
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("alert")).to_contain_text("This server needs a token")
    page.get_by_role("button", name="Enter it").click()
    page.get_by_role("textbox", name="Token").fill("lm_secret")
    page.keyboard.press("Enter")
    expect(page.locator(".session-card").first).to_be_visible()
    assert page.evaluate("localStorage.length") == 0


def test_a_view_does_not_wait_for_the_menu_of_namespaces(context: BrowserContext, served: Served) -> None:
    waiting = list[Route]()
    page = context.new_page()
    page.route(
        "**/graphql",
        lambda route: (
            waiting.append(route) if "query Boot" in (route.request.post_data or "") else route.continue_()
        ),
    )
    page.goto(f"{served.base}/#/sessions")
    expect(page.locator(".session-card").first).to_be_visible()
    menu = page.get_by_role("combobox", name="Namespace")
    expect(menu).to_have_value("")
    waiting[0].continue_()
    expect(menu).to_have_value(served.mind.settings.namespace)


def test_a_namespace_beyond_the_first_page_is_suggested_or_typed(
    context: BrowserContext, served: Served
) -> None:
    other = f"{served.mind.settings.namespace}-other"
    served.run(store_thought(served.mind, "Elsewhere.", session_id="elsewhere", namespace=other))
    page = context.new_page()
    # Pages of one name: the real ones are too long for a test.
    page.route(
        "**/graphql",
        lambda route: route.continue_(
            post_data=(route.request.post_data or "").replace("namespaces(first: 100", "namespaces(first: 1")
        ),
    )
    page.goto(f"{served.base}/#/sessions")
    field = page.get_by_role("combobox", name="Namespace")
    expect(field).to_have_value(served.mind.settings.namespace)
    field.click()
    expect(page.locator(f"datalist option[value='{other}']")).to_be_attached()
    field.fill(other)
    field.press("Enter")
    expect(page.locator(".session-card .name")).to_have_text(["elsewhere"])
    assert page.url.endswith(f"#/sessions?ns={other}")


@pytest.mark.parametrize("view", ["home", "session", "search", "why", "knowledge"])
def test_the_skip_link_leads_to_the_content_and_keeps_the_address(
    opened: Opened, served: Served, view: str
) -> None:
    page = opened(address(served, view))
    before = page.url
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    assert page.url == before


@pytest.mark.parametrize(
    "view", ["home", "sessions", "search?q=kiln", "knowledge?q=kiln", "graph", "session/none"]
)
def test_an_empty_view_names_the_namespace(view: str, opened: Opened) -> None:
    page = opened(f"#/{view}{'&' if '?' in view else '?'}ns=nobody-here")
    expect(page.locator(".empty")).to_contain_text("Namespace: nobody-here")


def test_an_unknown_view_is_named_and_its_address_stays(opened: Opened) -> None:
    page = opened("#/sesions/deploys?ns=team")
    expect(page.locator(".empty h2")).to_have_text("There is no view “sesions”")
    assert page.url.endswith("#/sesions/deploys?ns=team")
    page.locator(".empty").get_by_role("link", name="search").click()
    expect(page.locator("h1")).to_have_text("Search")
    opened("#/constructor")


@pytest.mark.parametrize("width", [390, 1280])
def test_long_ids_stay_within_the_page_and_characters_that_turn_texts_are_shown(
    opened: Opened, served: Served, width: int
) -> None:
    session = "s" * 300
    turned = "Open \u202egnp.exe\u202c now"
    stored = served.run(store_thought(served.mind, turned, session_id=session, author="a" * 300))
    try:
        for view in (
            "#/home",
            "#/sessions",
            f"#/session/{session}",
            f"#/session/{session}?show=timeline",
            f"#/session/{session}?show=tree",
            f"#/why/{stored}",
        ):
            page = opened(view)
            page.set_viewport_size({"width": width, "height": 860})
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert beyond <= 0, view
            assert not re.search("[\u202a-\u202e\u2066-\u2069]", page.locator("#main").inner_text())
        expect(page.get_by_text("Open \ufffdgnp.exe\ufffd now").first).to_be_visible()
    finally:
        served.run(
            raw(
                served.mind,
                "MATCH (s {namespace: $ns}) WHERE s.id = $id OR s.session_id = $id DETACH DELETE s",
                ns=served.mind.settings.namespace,
                id=session,
            )
        )


@pytest.mark.parametrize("shown", ["thread", "tree"])
def test_a_private_thought_leads_from_its_session_to_why_and_to_the_graph(
    opened: Opened, served: Served, shown: str
) -> None:
    session, text = f"alone {uuid.uuid4()}", "Only its session reads this."
    stored = served.run(store_thought(served.mind, text, session_id=session, is_private=True))
    page = opened(f"#/session/{session}?show={shown}")
    page.get_by_role("link", name="Why these memories?" if shown == "thread" else text).click()
    expect(page.locator(".asked")).to_contain_text(text)
    page.get_by_role("link", name="In the graph", exact=True).click()
    expect(page.locator(".panel")).to_contain_text(text)
    assert "own=" in page.url
    expect(opened(f"#/graph/{stored}").get_by_text(text)).to_have_count(0)


def test_what_was_missed_has_no_negative_shortage(opened: Opened, served: Served) -> None:
    page = opened(address(served, "why"))
    missed = page.locator(".missed .score")
    expect(missed.first).to_be_visible()
    assert [text for text in missed.all_inner_texts() if "-" in text] == []


def test_graphiql_runs_examples_and_a_subscription_without_another_server(
    context: BrowserContext, served: Served
) -> None:
    asked = set[str]()
    page = context.new_page()
    page.on("request", lambda request: asked.add(request.url.split("/", 3)[2]))
    page.goto(f"{served.base}/graphql")
    expect(page.locator(".examples, #graphiql > p").first).to_be_visible()
    if page.locator("#graphiql > p").count():
        pytest.skip("needs Maven Central (GraphiQL)")
    page.get_by_role("button", name="overview", exact=True).click()
    page.get_by_role("button", name=re.compile("Execute query")).click()
    result = page.locator(".result-window")
    expect(result).to_contain_text("atlas")
    page.get_by_role("button", name="thought added", exact=True).click()
    page.get_by_role("button", name=re.compile("Execute query")).click()
    expect(result).to_contain_text('"thought": null')
    text = "A thought for GraphiQL."
    served.run(store_thought(served.mind, text, session_id=str(uuid.uuid4())))
    expect(result).to_contain_text(text)
    page.get_by_role("button", name="Stop query").click()
    expect(page.get_by_role("button", name=re.compile("Execute query"))).to_be_visible()
    expect(result).to_contain_text(text)
    assert asked == {served.base.removeprefix("http://")}


QUERIES = sorted(files.path("explorer", "queries").glob("*.graphql"))

# Statements that a request, or the server meanwhile, may run besides those that answer it.
_ASIDE = {
    "maintain/read_tokens",
    "nodes/find_empty_namespaces",
    "trust/find_kept_private",
    "schema/read_database",
    "recall/read_authors",
    "recall/find_introduced",
    "search/read_context",
    "think/read_unmentioned",
    "think/find_naming",
    "think/store_mentions",
    "think/settle_mentions",
    "maintain/read_deferred",
}

# Statements whose rows arrive one by one, which observers do not see.
_STREAMED = {"chain/read_chain"}


@pytest.fixture(scope="module")
def sdl() -> GraphQLSchema:
    """The committed schema."""
    return build_schema(files.text("graphql", "schema.graphql"))


def named(text: str) -> dict[str, str]:
    """The statements that a document names, with the parameters that it fills."""
    return dict(re.findall(r"^# cypher: ([\w/]+)(?: \((.*)\))?$", text, re.MULTILINE))


def variables(served: Served) -> dict[str, dict[str, Any]]:
    """Variables with which each document reads everything that it can."""
    now = datetime.now(UTC).isoformat()
    return {
        "boot": {},
        "namespaces": {},
        **{name: {} for name in ("days", "sizes", "recalled", "unresolved", "decisions", "hypotheses")},
        "may_write": {},
        "session_export": {"id": served.session},
        "authors": {},
        "sessions": {},
        "sessions_chain": {},
        "session": {"id": served.session},
        "session_chain": {"id": served.session},
        "session_thoughts": {"id": served.session},
        "session_timeline": {"id": served.session, "unit": "HOUR"},
        "session_tree": {"id": served.session},
        "search": {"query": "a meteoroid, a bang, a sudden pressure"},  # a later thought withdraws it
        "search_facets": {"query": "tank"},
        "latest": {},
        "why": {"id": served.asked},
        "thought": {"id": served.asked},
        "entity": {"id": served.entity},
        "entities": {},
        "entity_types": {},
        "facts": {},
        "neighbours": {"id": served.asked, "start": served.asked},
        "touched": {"id": served.asked},
        "compare_search": {"query": "pump", "at": now},
        "beliefs": {**dict.fromkeys("abcdefg", served.asked), "then": now, "now": now},
    }


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_a_document_is_valid_and_runs_the_statements_that_it_names(
    path: Path, served: Served, sdl: GraphQLSchema
) -> None:
    text = path.read_text(encoding="utf-8")
    assert validate(sdl, parse(text)) == []
    if path.stem == "arrivals":
        return  # a subscription reads when it wants; the view of live thoughts runs it
    given = variables(served)[path.stem]
    others = [{"id": served.entity, "start": served.entity}] if path.stem == "neighbours" else []
    with noted_statements() as ran:
        for one in (given, *others):
            sent = {"query": text, "variables": one}
            answer = httpx2.post(f"{served.base}/graphql", json=sent, timeout=120).json()
            assert "errors" not in answer
            if after := re.search(r'"hasNextPage": true, "endCursor": "([^"]+)"', json.dumps(answer)):
                sent["variables"] = {**one, "after": after[1]}
                httpx2.post(f"{served.base}/graphql", json=sent, timeout=120).raise_for_status()
    told = set(named(text))
    assert set(ran) - (_ASIDE - told) | _STREAMED & told == told


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_the_values_that_a_document_gives_to_statements_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    declared = set(re.findall(r"\$(\w+):", text))
    for statement, given in named(text).items():
        parameters = set(re.findall(r"^:param (\w+) =>", files.text("cypher", f"{statement}.cypher"), re.M))
        for pair in filter(None, given.split(", ")):
            name, _, source = pair.partition("=")
            assert name in parameters
            assert source.strip("[]$") in declared


_ASK = """async (address) => {
  const body = JSON.stringify({ query: "{ __typename }" });
  const headers = { "content-type": "application/json" };
  try {
    return await (await fetch(`${address}/graphql`, { method: "POST", headers, body })).json();
  } catch (error) {
    return error.name;
  }
}"""


def test_a_page_of_another_port_may_call_the_server_only_if_a_setting_names_it(
    context: BrowserContext, served: Served
) -> None:
    page = context.new_page()
    with served.beside(serve_origins=served.base) as named:
        page.goto(f"{served.base}/healthz")
        assert page.evaluate(_ASK, named) == {"data": {"__typename": "Query"}}
        page.goto(f"{named}/healthz")
        assert page.evaluate(_ASK, named) == {"data": {"__typename": "Query"}}
        assert page.evaluate(_ASK, served.base) == "TypeError"
