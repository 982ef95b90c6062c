"""A headless Chromium for tests of pages: the installed one, which loads nothing but from this machine."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def _installed() -> str | None:
    """A PATH of a test may not have it."""
    folders = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/bin"
    return next((path for name in _NAMES if (path := shutil.which(name, path=folders))), None)


CHROMIUM: Final = _installed()

_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

requires_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium, in PATH or in /usr/bin")


@contextmanager
def started() -> Generator[Browser]:
    """A new headless browser. Skips the test if none is installed."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium, in PATH or in /usr/bin")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened_page(width: int = 1280, height: int = 800) -> Generator[Page]:
    """A page of a new browser. Requests to other hosts than 127.0.0.1 fail.

    The page's own policy for scripts is not applied, because it would refuse those of the test.
    """
    with started() as browser:
        page = browser.new_page(viewport={"width": width, "height": height}, bypass_csp=True)
        page.route("**/*", _only_loopback)
        yield page


def _only_loopback(route: Route) -> None:
    if route.request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
        route.continue_()
    else:
        route.abort()
