"""The drawing of the graph: labels that one can read, what is shown of it, and its links and files."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.explorer.conftest import Opened
from tests.explorer.sample import Served

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


def test_a_link_draws_the_same_picture_also_of_what_was_moved_and_hidden(
    drawn: Page, opened: Opened, served: Served
) -> None:
    drawn.get_by_role("button", name="Pin", exact=True).click()
    expect(drawn.get_by_role("button", name="Unpin")).to_be_visible()
    drawn.get_by_role("checkbox", name="fact").uncheck()
    places: dict[str, Any] = drawn.evaluate(_PLACES)
    for width in (1280, 390):
        page = again(drawn, opened, served, width)
        assert page.evaluate(_PLACES).keys() == places.keys()
        for id, place in page.evaluate(_PLACES).items():
            assert place == pytest.approx(places[id], abs=2)
        expect(page.get_by_role("checkbox", name="fact")).not_to_be_checked()
        expect(page.get_by_role("button", name="Unpin")).to_be_visible()
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


def test_the_path_between_two_nodes_is_named_and_in_the_link(
    drawn: Page, opened: Opened, served: Served
) -> None:
    drawn.get_by_role("combobox", name="Path to").select_option(label="It stops at 7 mm/s.")
    way = "Apollo 13 → Pump 4 → It stops at 7 mm/s."
    expect(drawn.locator(".way")).to_have_text(way)
    expect(again(drawn, opened, served).locator(".way")).to_have_text(way)
    drawn.get_by_role("checkbox", name="about", exact=True).uncheck()
    expect(drawn.locator(".way")).to_contain_text("No path leads there")


def test_the_picture_is_a_file(drawn: Page, tmp_path: Path) -> None:
    for kind in ("PNG", "SVG"):
        with drawn.expect_download() as saved:
            drawn.get_by_role("button", name=kind).click()
        assert saved.value.suggested_filename == f"graph.{kind.lower()}"
        saved.value.save_as(tmp_path / kind)
    with Image.open(tmp_path / "PNG") as picture:
        assert min(picture.size) > 200
    texts = [one.text for one in ElementTree.parse(tmp_path / "SVG").iter("{http://www.w3.org/2000/svg}text")]
    assert {"Pump 4", "Apollo 13"} <= set(texts)


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
