"""Hooks of mkdocs: pages made of other files, and links to files that the site does not have."""

import re
from pathlib import Path, PurePosixPath
from typing import Any, cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent

_LINK = re.compile(r"^```.*?^```$|`[^`\n]*`|(!?)\[([^\]]*)\]\(([^)\s]+)\)", re.MULTILINE | re.DOTALL)
"""Code, which is left as it is, or a link."""
_MOVED = {"README.md": "index.md", "CHANGELOG.md": "changelog.md"}
"""Pages of the site that are made from files outside ``docs``."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List pages that the navigation does not name under a heading of their own, so that none is missing."""
    nav = cast("list[Any]", config.nav or [])  # pyright: ignore[reportUnknownMemberType]
    named = set(re.findall(r"[\w/-]+\.md", repr(nav)))
    pages = (path.relative_to(ROOT / "docs").as_posix() for path in sorted((ROOT / "docs").rglob("*.md")))
    others = [page for page in pages if page not in named and not page.startswith("samples/")]
    if others:
        nav.append({"More": others})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page that is made from a file outside ``docs``."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "changelog.md", content=changes))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to the README to pages of the site, and show other files of the repository as their names.

    Raises PluginError for a file that does not exist.
    """
    made = page.file.src_uri == "changelog.md"
    folder = PurePosixPath("." if made else "docs") / PurePosixPath(page.file.src_uri).parent

    def led(found: re.Match[str]) -> str:
        image, text, target = found.groups()
        if target is None:
            return found[0]
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return found[0]
        absolute = (ROOT / folder / path).resolve()
        if not absolute.exists():
            raise PluginError(f"{page.file.src_uri} links to {target}, which does not exist.")
        inside = absolute.relative_to(ROOT).as_posix()
        moved = _MOVED.get(inside)
        if moved is None and inside.startswith("docs/") and not inside.startswith("docs/samples"):
            moved = inside.removeprefix("docs/") + (f"#{anchor}" if anchor else "")
        if moved is None:
            return text if text.startswith("`") else f"{text} (`{inside}`)"
        up = "../" * (len(PurePosixPath(page.file.src_uri).parts) - 1)
        return f"{image}[{text}]({up}{moved})"

    return _LINK.sub(led, markdown)
