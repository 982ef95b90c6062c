"""Each view for everybody: its accessibility, its targets, the keyboard, and what moves while it loads."""

import re
import uuid
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from tests.explorer.axe import CONTRAST, violations
from tests.explorer.conftest import PICTURES, Opened
from tests.explorer.sample import Served
from tests.explorer.test_explorer import address
from tests.steps import store_thought
from tests.wire import raw

pytestmark = pytest.mark.slow

# When the first thought is drawn, in milliseconds after the page was asked for, and how much moved.
_OBSERVE = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.moved += entry.value;
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver(() => {
  if (!window.shownAt && document.querySelector(".arrival")) window.shownAt = performance.now();
}).observe(document, { childList: true, subtree: true });
"""

# Links within a sentence have the height of its lines.
_SMALL = """() => [...document.querySelectorAll("a, button, input, select, summary")]
  .filter((one) => one.checkVisibility() && !one.closest("p, .skip"))
  .map((one) => [one.outerHTML, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 23.9 || height < 23.9)
  .map(([html, { width, height }]) => `${width} x ${height}: ${html}`)"""

# Marks what the keyboard must reach; what has the focus loses the mark, if one sees that it has it.
_EXPECT = """() => {
  const reachable = "a[href], button, input, select, summary, [tabindex='0']";
  const all = [...document.querySelectorAll(reachable)].filter((one) => one.checkVisibility());
  for (const one of all) one.setAttribute("data-unreached", "");
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(":focus-visible") && getComputedStyle(target).outlineStyle !== "none") {
      target.removeAttribute("data-unreached");
    }
  });
  document.activeElement.blur();
}"""

VIEWS = (
    "home",
    "sessions",
    "session",
    "broken",
    "tree",
    "timeline",
    "search",
    "why",
    "knowledge",
    "graph",
    "compare",
)


def take(page: Page, name: str) -> None:
    """Keep a picture, if they are wanted."""
    if PICTURES:
        page.wait_for_timeout(1000)
        with Image.open(BytesIO(page.screenshot())) as whole:
            whole.convert("RGB").quantize(256).save(Path(PICTURES) / f"{name}.png", optimize=True)


@pytest.mark.parametrize("view", VIEWS)
def test_everybody_can_use_a_view_with_eyes_fingers_and_keys(
    view: str, opened: Opened, context: BrowserContext, served: Served
) -> None:
    context.add_init_script(_OBSERVE)
    page = opened(address(served, view), width=390)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.wait_for_timeout(200)
    assert page.evaluate("window.moved") <= 0.1
    assert page.evaluate(_SMALL) == []
    assert violations(page) == []
    take(page, f"{view}-dark")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    assert page.evaluate(_SMALL) == []
    assert violations(page, CONTRAST) == []
    take(page, f"{view}-light")
    # A field for a time has several places for the focus, and what ends a list moves while it grows.
    page.evaluate(_EXPECT)
    unreached = page.locator("[data-unreached]:not(.more)")
    for _ in range(8):
        for _ in range(unreached.count() and unreached.count() + 2):
            page.keyboard.press("Tab")
    assert unreached.evaluate_all("(all) => all.map((one) => one.outerHTML)") == []


def test_the_first_view_is_shown_soon_and_stays_where_it_is(opened: Opened, context: BrowserContext) -> None:
    context.add_init_script(_OBSERVE)
    for width in (390, 1280):
        page = opened("#/home", width)
        expect(page.locator(".arrival")).not_to_have_count(0)
        page.wait_for_timeout(200)
        # A tenth of that on an idle machine.
        assert page.evaluate("window.shownAt") < 4_000
        assert page.evaluate("window.moved") <= 0.1


def test_back_returns_to_the_place_the_state_and_the_focus_without_asking_again(
    opened: Opened, context: BrowserContext, served: Served
) -> None:
    session = str(uuid.uuid4())
    for number in range(35):
        served.run(store_thought(served.mind, f"Step {number} of a long way.", session_id=session))
    page = opened(f"#/session/{session}")
    expect(page.locator(".step.verified")).to_have_count(30)  # drawn again with the verdict
    page.locator(".step").nth(29).scroll_into_view_if_needed()
    expect(page.locator(".step")).to_have_count(35)
    chosen = page.locator(".step").nth(31).get_by_role("link", name="Why these memories?")
    chosen.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    assert place > 1000
    asked = list[str]()
    chosen.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".asked")).to_contain_text("Step 31")
    assert page.evaluate("scrollY") == 0
    context.on("request", lambda request: asked.append(request.post_data or ""))
    page.go_back()
    expect(page.locator(".step")).to_have_count(35)
    expect(chosen).to_be_focused()
    assert page.evaluate("scrollY") == place
    assert not any(asked)
    page.go_forward()
    expect(page.locator(".asked")).to_contain_text("Step 31")


def test_thoughts_arrive_in_a_view_to_which_one_came_back(opened: Opened, served: Served) -> None:
    page = opened("#/home")
    expect(page.locator(".pulse")).to_have_text("New thoughts appear here")
    page.get_by_role("link", name="Sessions").click()
    expect(page.locator(".session-card").first).to_be_visible()
    away = f"While nobody looked: {uuid.uuid4()}"
    served.run(store_thought(served.mind, away, session_id=str(uuid.uuid4())))
    page.go_back()
    expect(page.locator(".arrival").first).to_contain_text(away)
    expect(page.locator(".arrival", has_text=away)).to_have_count(1)


def test_the_focus_moves_to_the_new_view_which_is_announced(opened: Opened) -> None:
    page = opened("#/home")
    page.get_by_role("link", name="Knowledge").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Knowledge")
    expect(heading).to_be_focused()
    expect(page.locator("#status")).to_have_text("Knowledge · LegacyMind")


@pytest.mark.parametrize("keys", ["/", "Control+k", "Meta+k"])
def test_a_key_leads_to_the_search_from_any_view_but_not_from_a_field(keys: str, opened: Opened) -> None:
    page = opened("#/home")
    page.keyboard.press(keys)
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    expect(page.locator("h1")).to_have_text("Search")
    page.keyboard.type("and/or")
    expect(field).to_have_value("and/or")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=and%2For"))
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_each_text_has_its_own_direction_and_turns_no_text_beside_it(opened: Opened, served: Served) -> None:
    session = str(uuid.uuid4())
    served.run(store_thought(served.mind, "المضخة 4 تتوقف عند 7.", session_id=session, author="نور"))
    served.run(store_thought(served.mind, "Open \u202egnp.exe next.", session_id=session, author="מאיה"))
    page = opened(f"#/session/{session}")
    edges = page.locator(".step .prose").evaluate_all(
        """(all) => all.map((one) => {
          const text = document.createRange();
          text.selectNodeContents(one);
          const [drawn, room] = [text.getBoundingClientRect(), one.getBoundingClientRect()];
          return [drawn.left - room.left, room.right - drawn.right];
        })"""
    )
    (before, after), (first, _) = edges
    assert after < 1 < before, "Arabic begins at the right."
    assert first < 1
    assert "\u202e" not in page.locator("body").inner_text()
    for author in page.locator(".step .byline strong").all():
        assert author.evaluate("(one) => getComputedStyle(one).unicodeBidi") == "isolate"


_RICH = """# A heading

Some **bold**, `code`, <b>no HTML</b> and [the bank](https://evil.example/x), or https://plain.example/.

- one
- two

```python
print("<script>")
```

| a | b |
|---|---|
| 1 | \u202e2 |

[broken](https://[) ![a picture](https://evil.example/pixel.png) <img src=x onerror="document.title='stolen'">
[here](javascript:document.title='stolen') [there](data:text/html,x) [inside](#/home)
<a href="https://evil.example" onclick="document.title='stolen'">raw</a> <style>body{display:none}</style>
"""


def test_markdown_is_shown_as_such_without_scripts_pictures_or_unmarked_links(
    opened: Opened, context: BrowserContext, served: Served
) -> None:
    asked = set[str]()
    context.on("request", lambda request: asked.add(request.url.split("/", 3)[2]))
    session = str(uuid.uuid4())
    stored = served.run(store_thought(served.mind, _RICH, session_id=session))
    page = opened(f"#/session/{session}")
    rich = page.locator(".step .prose")
    if not page.locator(".rich").count():
        pytest.skip("needs Maven Central (Marked or DOMPurify)")
    for selector, text in (
        ("strong", ["A heading", "bold"]),
        ("li", ["one", "two"]),
        ("td", ["1", "\ufffd2"]),
    ):
        expect(rich.locator(selector)).to_have_text(text)
    expect(rich.locator("pre code")).to_have_text('print("<script>")\n')
    for shown in ("<b>no HTML</b>", "<img src=x", "<style>", "onclick="):
        expect(rich).to_contain_text(shown)
    found = rich.evaluate(
        "(one) => [...new Set([...one.querySelectorAll('*')].map((part) => part.localName))]"
    )
    assert set(found) <= set("p strong code a ul li pre table thead tbody tr th td br".split())
    links = rich.locator("a").evaluate_all("(all) => all.map((one) => [one.href, one.rel, one.dataset.host])")
    assert {(rel, host) for _, rel, host in links} == {
        ("noopener noreferrer nofollow", "evil.example"),
        ("noopener noreferrer nofollow", "plain.example"),
    }
    assert not [href for href, *_ in links if not href.startswith("https://")]
    assert "stolen" not in page.title()
    assert violations(page) == []
    for view in (f"#/why/{stored}", f"#/graph/{stored}", "#/home"):
        expect(opened(view).locator(".rich strong").first).to_be_attached()
    assert asked == {served.base.removeprefix("http://")}


def test_without_its_libraries_markdown_is_shown_as_it_is(context: BrowserContext, served: Served) -> None:
    session = str(uuid.uuid4())
    served.run(store_thought(served.mind, "Some **bold** words.", session_id=session))
    page = context.new_page()
    page.route("**/explorer/lib/**", lambda route: route.fulfill(status=503, json={}))
    page.goto(f"{served.base}/#/session/{session}")
    expect(page.locator(".step .prose")).to_have_text("Some **bold** words.")


@pytest.mark.parametrize(("text", "loads"), [("A snake_case name.", False), ("A __bold__ word.", True)])
def test_only_texts_that_are_markdown_load_its_libraries(
    opened: Opened, context: BrowserContext, text: str, loads: bool
) -> None:
    page = opened("#/no view")
    asked = list[str]()
    context.on("request", lambda request: asked.append(request.url))
    page.evaluate(
        "async (answer) => (await import('/explorer/markdown.js')).prepare(answer)",
        {"node": {"__typename": "Thought", "content": text}},
    )
    assert any("/explorer/lib/" in address for address in asked) is loads


def test_believed_is_what_the_memory_knew_then_and_true_what_was_valid(
    opened: Opened, served: Served
) -> None:
    # Everything about the pump was recorded today, and says what was true in May and is since June.
    page = opened(f"#/compare/{served.entity}?then=2026-05-01T00:00:00Z")
    expect(page.locator(".beliefs h2").first).to_contain_text("No longer true")
    expect(page.locator(".gone .belief a")).to_have_text(["It stops at 11 mm/s."])
    page.get_by_role("link", name="Believed", exact=True).click()
    expect(page.locator(".beliefs h2").first).to_contain_text("No longer believed")
    expect(page.locator(".gone .belief, .kept .belief")).to_have_count(0)
    expect(page.locator(".new .belief a")).to_have_text(["It stops at 7 mm/s.", "compared with Apollo 13"])
    assert "by=believed" in page.url


def test_a_fact_is_believed_until_the_memory_records_what_supersedes_it(
    opened: Opened, served: Served
) -> None:
    remember = served.mind.operations["remember"]
    old = {"entity": "Valve 9", "content": "It opens at 3 bar.", "valid_from": "2026-01-01"}
    first = served.run(remember.call({"observations": [old]})).observations[0].id
    new = {"entity": "Valve 9", "content": "It opens at 4 bar.", "valid_from": "2026-03-01"}
    served.run(remember.call({"observations": [{**new, "supersedes": first}]}))
    served.run(
        raw(
            served.mind,
            "MATCH (o:Observation {id: $id}) SET o.recorded_at = datetime('2026-01-01T00:00:00Z')",
            id=first,
        )
    )
    entity = served.run(served.mind.operations["entity"].call({"name": "Valve 9"})).entity.id
    page = opened(f"#/compare/{entity}?then=2026-05-01T00:00:00Z")
    expect(page.locator(".kept .belief a")).to_have_text(["It opens at 4 bar."])
    page.get_by_role("link", name="Believed", exact=True).click()
    expect(page.locator(".gone .belief a")).to_have_text(["It opens at 3 bar."])
    expect(page.locator(".new .belief a")).to_have_text(["It opens at 4 bar."])
