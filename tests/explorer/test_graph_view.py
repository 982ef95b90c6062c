"""The drawing of the graph: labels that one can read, what is shown of it, and its links and files."""

import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.explorer.conftest import Opened
from tests.explorer.sample import Served
from tests.steps import remember, store_thought

pytestmark = pytest.mark.slow

# Cytoscape keeps what draws a graph at its element.
_CY = "document.querySelector('.drawn')._cyreg.cy"
_PLACES = f"() => Object.fromEntries({_CY}.nodes().map((one) => [one.id(), Object.values(one.position())]))"
_BOXES = f"""() => {_CY}.nodes(':visible').map((one) => {{
  const {{ x1, y1, x2, y2 }} = one.boundingBox({{ includeEdges: false, includeOverlays: false }});
  return [x1 + 1, y1 + 1, x2 - 1, y2 - 1];
}})"""


@pytest.fixture
def drawn(opened: Opened, served: Served) -> Page:
    """The graph around an entity and around Apollo 13."""
    page = opened(f"#/graph/{served.entity}")
    if page.locator(".drawn .empty").count():
        pytest.skip("needs Maven Central (Cytoscape or Cola)")
    page.locator(".as-list summary").click()
    page.get_by_role("button", name="Apollo 13", exact=True).click()
    page.get_by_role("button", name="Show neighbours").click()
    expect(page.locator(".as-list summary")).not_to_contain_text(": 3 nodes")
    return page


def again(page: Page, opened: Opened, served: Served, width: int = 1280) -> Page:
    """The page that a link to what is shown opens."""
    return opened(page.url.removeprefix(f"{served.base}/"), width)


@pytest.mark.parametrize("around", ["entity", "asked"])
def test_no_label_lies_over_another(around: str, drawn: Page, opened: Opened, served: Served) -> None:
    page = drawn
    if around == "asked":
        page = opened(f"#/graph/{served.asked}")
        page.locator(".as-list summary").click()
        page.locator(".as-list button").nth(1).click()
        page.get_by_role("button", name="Show neighbours").click()
        expect(page.get_by_role("button", name="Show neighbours")).to_have_count(0)
    boxes: list[list[float]] = page.evaluate(_BOXES)
    assert len(boxes) > 6
    over = [
        (one, other)
        for n, one in enumerate(boxes)
        for other in boxes[:n]
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]
    assert over == []


def test_what_a_memory_touched_is_drawn_also_by_a_link(opened: Opened, served: Served) -> None:
    async def spread() -> tuple[str, str]:
        made = await store_thought(served.mind, "The vane is of brass.", session_id=str(uuid.uuid4()))
        fact = {"entity": "Vane", "content": "The vane is of brass.", "learned_from": made}
        learned = await remember(served.mind, observations=[fact])
        return made, learned.observations[0].id

    bad, learned = served.run(spread())
    page = opened(f"#/graph/{bad}")
    page.get_by_role("button", name="What it touched").click()
    expect(page.locator(".panel").get_by_role("status")).to_contain_text("Made from it: 1; recalled it: 0")
    for shown in (page, again(page, opened, served)):
        expect(shown.locator(".as-list summary")).to_contain_text("2 nodes, 1 relationship")
        assert shown.evaluate(f"() => {_CY}.edges().map((one) => one.data('type'))") == ["learned from"]
        assert shown.evaluate(_PLACES).keys() == {bad, learned}


def test_a_link_draws_the_same_picture_also_of_what_was_hidden(
    drawn: Page, opened: Opened, served: Served
) -> None:
    drawn.get_by_role("checkbox", name="fact").uncheck()
    places: dict[str, Any] = drawn.evaluate(_PLACES)
    for width in (1280, 390):
        page = again(drawn, opened, served, width)
        assert page.evaluate(_PLACES).keys() == places.keys()
        for id, place in page.evaluate(_PLACES).items():
            assert place == pytest.approx(places[id], abs=2)
        expect(page.get_by_role("checkbox", name="fact")).not_to_be_checked()
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_kinds_types_and_nodes_can_be_hidden_and_shown_again(drawn: Page) -> None:
    shown = f"(selector) => {_CY}.elements(selector).filter(':visible').length"
    for name, selector in (("fact", ".observation"), ("about", 'edge[type = "about"]')):
        assert drawn.evaluate(shown, selector) > 0
        drawn.get_by_role("checkbox", name=name, exact=True).uncheck()
        assert drawn.evaluate(shown, selector) == 0
        drawn.get_by_role("checkbox", name=name, exact=True).check()
        assert drawn.evaluate(shown, selector) > 0
    nodes = drawn.evaluate(shown, "node")
    drawn.get_by_role("button", name="Hide", exact=True).click()
    assert drawn.evaluate(shown, "node") == nodes - 1
    drawn.get_by_role("button", name="Show hidden nodes").click()
    assert drawn.evaluate(shown, "node") == nodes


def test_the_picture_is_a_file(drawn: Page, tmp_path: Path) -> None:
    with drawn.expect_download() as saved:
        drawn.get_by_role("button", name="PNG").click()
    assert saved.value.suggested_filename == "graph.png"
    saved.value.save_as(tmp_path / "graph.png")
    with Image.open(tmp_path / "graph.png") as picture:
        assert min(picture.size) > 200


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_edges_stand_out_from_the_ground(theme: str, opened: Opened, served: Served) -> None:
    page = opened(f"#/graph/{served.entity}")
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    rgb = page.evaluate(
        """() => ["edge", "surface"].map((name) => {
          const probe = document.body.appendChild(document.createElement("span"));
          probe.style.color = `var(--${name})`;
          return getComputedStyle(probe).color;
        })"""
    )

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    lighter, darker = sorted(map(luminance, rgb), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 3
