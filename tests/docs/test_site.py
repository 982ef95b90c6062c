"""The documentation: its links lead somewhere, its reference is current, and its site builds."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import operations_reference
from tests.docs.pages import DOCS

ROOT = DOCS.parent
PAGES = [
    page
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md")))
    if "samples" not in page.parts
]
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LOADED = re.compile(
    r"""(?:<(?:script|img|iframe|source)\b[^>]*\ssrc|<link\b[^>]*\shref)=["']?(https?:)?//"""
)


def links(page: Path) -> Iterator[str]:
    """The links of a page, without those in code."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    yield from re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_blocks_within_lists_are_apart_and_indented_for_the_site(page: Path) -> None:
    """The site needs four spaces and a blank line after; else the next item joins a paragraph."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"\n[ ]*\n {1,3}\S.*", text) == []
    assert re.findall(r"\n[ ]*\n {4}\S.*(?:\n {4}\S.*)*\n(?:- |\d+\. ).*", text) == []


def test_the_reference_of_operations_is_that_of_the_code() -> None:
    current = operations_reference.reference()
    assert operations_reference.PAGE.read_text(encoding="utf-8") == current, "run scripts/update_docs.py"
    assert current.count("\n## ") > 30


@pytest.mark.long
@pytest.mark.docs
def test_the_site_builds_without_a_warning_and_loads_nothing_from_other_hosts(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--quiet",
            "--strict",
            "--site-dir",
            str(tmp_path / "site"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        assert not _LOADED.search(page.read_text(encoding="utf-8")), page.name
