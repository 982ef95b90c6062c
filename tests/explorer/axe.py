"""What axe finds on a page, by the rules of WCAG 2.2, levels A and AA, and by its own."""

from importlib import resources
from typing import Final

from playwright.sync_api import Page

_AXE: Final = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
ALL: Final[dict[str, object]] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
}
CONTRAST: Final[dict[str, object]] = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def violations(page: Page, rules: dict[str, object] = ALL) -> list[str]:
    """The rules that a page violates, with the elements."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(_AXE)
    found = page.evaluate("(options) => axe.run(document, options)", rules)
    return [f"{one['id']}: {node['html']}" for one in found["violations"] for node in one["nodes"]]
