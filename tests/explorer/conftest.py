"""One server and one browser for the tests of a file."""

import os
from collections.abc import Iterator
from typing import Final, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from legacymind.settings import Settings
from tests.browser import started
from tests.explorer.sample import Served, serving

PICTURES: Final = os.environ.get("PICTURES", "")
"""The folder to write pictures to, usually `docs/pictures`; without one, none are taken."""


class Opened(Protocol):
    """Opens an address below that of the server, such as `#/search`, in a new tab."""

    def __call__(self, address: str, width: int = 1280) -> Page: ...


@pytest.fixture(scope="module")
def served(engine_settings: Settings) -> Iterator[Served]:
    """The sample memory behind a port. Its server counts in the metrics of the process."""
    with serving(engine_settings, whole=bool(PICTURES)) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium. Its event loop runs until it is closed, so other tests cannot have theirs."""
    with started() as made:
        yield made


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A profile of its own."""
    made = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    made.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    yield made
    made.close()


@pytest.fixture
def opened(context: BrowserContext, served: Served) -> Iterator[Opened]:
    """Opens views. The test fails if a page had an error, or did what its policy forbids."""
    problems = list[str]()

    def open_page(address: str, width: int = 1280) -> Page:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 860})
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(f"{served.base}/{address}")
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        return page

    yield open_page
    assert problems == []
