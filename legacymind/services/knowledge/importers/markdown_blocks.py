"""The blocks of a Markdown text, and the wiki links in them."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

_MARKER: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_BLOCK_ID: Final = re.compile(r"\s\^[A-Za-z0-9-]+$", re.MULTILINE)
_CODE: Final = re.compile(r"`[^`]*`")
_LINK: Final = re.compile(r"\[\[([^\[\]]+)\]\]|\]\(<?([^()<>:#]+\.md)(?:#[^()]*)?>?\)")
_TYPED: Final = re.compile(
    r"""(?:"(?P<double>[^"]+)"|'(?P<single>[^']+)'|(?P<word>[^\s\[\]!]+))\s*"""
    r"\[\[(?P<target>[^\[\]]+)\]\]\s*(?:\([^()]*\))?\s*"
)
_TYPED_LINK: Final = re.compile(
    r"(?P<name>[A-Z][A-Z0-9_]*) \[[^\[\]]*\]\((?P<target>[^()]+)\.md\)"
    r"(?: \(since (?P<since>\d{4}-\d\d-\d\d)\))?(?:\[\^(?P<footnote>[^\]\s]+)\])?"
)
"""A relation in a bundle: its type in capitals, and a link."""

_TEXTS: Final = ("paragraph_open", "list_item_open", "blockquote_open", "table_open", "fence", "code_block")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another note. ``name`` is the name of the relation, None for a link in a text."""

    line: int
    target: str
    name: str | None = None
    since: str | None = None
    footnote: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, an outermost list item, a quote, a table or code, with the heading above it.

    ``text`` is empty for a list item that only states a relation.
    """

    line: int
    text: str
    heading: str
    links: tuple[Link, ...]


def blocks(text: str, before: int = 0) -> Iterator[Block]:
    """The blocks of a text in order. ``before`` is the number of lines above it."""
    from markdown_it import MarkdownIt  # Imported here: it takes 30 ms, and few processes read Markdown.

    lines, heading = text.splitlines(), ""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0:
            heading = _plain(tokens[index + 1].content)
        is_item = token.type == "list_item_open" and token.level == 1
        if token.map is None or token.type not in _TEXTS or not (is_item or token.level == 0):
            continue
        start, end = token.map
        block = _block(lines[start:end], before + start + 1, heading, is_item, token.type in _TEXTS[-2:])
        if block.text or block.links:
            yield block


def target_of(link: str) -> str:
    """The note that a wiki link names, without its display text and its heading."""
    return link.partition("|")[0].partition("#")[0].rstrip("\\").strip()


def _block(lines: list[str], line: int, heading: str, is_item: bool, is_code: bool) -> Block:
    text = "\n".join(lines)
    if is_item:
        first, _, rest = text.partition("\n")
        text = "\n".join((_unmarked(first), textwrap.dedent(rest)))
    text = _BLOCK_ID.sub("", text).strip()
    if is_code:
        return Block(line, text, heading, ())
    links = [link for n, one in enumerate(lines) for link in _links(one, line + n, is_item)]
    if is_item and (_TYPED.fullmatch(text) or _TYPED_LINK.fullmatch(text)):
        text = ""
    return Block(line, text, heading, tuple(links))


def _unmarked(text: str) -> str:
    """A line without the mark of a list item."""
    marker = _MARKER.match(text)
    return text[marker.end() :] if marker else text


def _links(text: str, line: int, is_item: bool) -> Iterator[Link]:
    typed = _TYPED.fullmatch(_unmarked(text)) if is_item else None
    if typed is not None:
        name = typed["double"] or typed["single"] or typed["word"]
        yield Link(line, target_of(typed["target"]), name)
        return
    if is_item and (typed := _TYPED_LINK.fullmatch(_unmarked(text))):
        yield Link(line, unquote(typed["target"]), typed["name"], typed["since"], typed["footnote"])
        return
    for found in _LINK.finditer(_CODE.sub("", text)):
        yield Link(line, target_of(found[1]) if found[1] else unquote(found[2]).removesuffix(".md"))


def _plain(heading: str) -> str:
    """A heading without wiki-link brackets and the emphasis around it."""
    return re.sub(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]", r"\1", heading).strip(" *_#`")
