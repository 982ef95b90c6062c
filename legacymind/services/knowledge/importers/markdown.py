"""Folders of Markdown notes, as basic-memory, Obsidian and Google's Open Knowledge Format have them.

A note is an entity: its title in the front matter, else its file's name. Each paragraph and each outermost
list item is an observation, with the heading above it. Wiki links, and Markdown links to notes, are
relations: ``- implements [[Target]]`` is ``IMPLEMENTS``, a link in a text is ``LINKS_TO``, and a link in the
front matter has the name of its property.

A folder whose ``index.md`` has ``okf_version`` is a bundle. In it, ``index.md`` and ``log.md`` are no notes,
a footnote names a source of the front matter, and "(since 2026-01-31)" is a time.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Final, cast

import yaml

from legacymind.services.knowledge.importers.markdown_blocks import Block, Link, blocks, target_of
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    Record,
    SourceFile,
    Warned,
    bounded,
    is_decoded,
    record,
)
from legacymind.text import keys

_FRONT: Final = re.compile(r"---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_PROPERTY_LINK: Final = re.compile(r"\[\[([^\[\]]+)\]\]")
_PLAIN_HEADINGS: Final = {"observations", "relations", "facts"}
"""Headings of basic-memory and of our bundles that only name the syntax below them."""

UNTYPED: Final = "thing"
"""The type of an entity without one: in a bundle, every file has a type."""

_DEEPEST: Final = 20
"""Lists and objects in brackets in one another."""

_FOOTNOTE: Final = re.compile(r"\[\^([^\]\s]+)\]")
_SINCE: Final = re.compile(r" \(since (\d{4}-\d\d-\d\d)\)\Z")

_NOT_NOTES: Final = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif|pdf|mp[34]|wav|m4a|ogg|webm|mov|canvas|base|excalidraw)$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Note:
    file: SourceFile
    path: PurePosixPath
    front: dict[str, Any]
    body: str
    lines_above: int
    name: str = ""
    bundled: bool = False

    @property
    def kind(self) -> str:
        """The type of the entity."""
        kind = _text(self.front.get("type"))
        return "" if self.bundled and kind == UNTYPED else kind or "note"

    @property
    def title(self) -> str:
        """The title of the note."""
        return _text(self.front.get("title")) or self.path.name

    def source(self, label: str | None) -> str:
        """The source of a footnote, else the file."""
        sources: list[Any] = [one for one in _items(self.front.get("sources")) if isinstance(one, dict)]
        found = (one.get("resource") for one in sources if self.bundled and one.get("id") == label)
        return next(found, None) or self.file.label or self.file.name

    @property
    def names(self) -> list[str]:
        """Every name that a link may use, the best first: path, title, permalink, file name, aliases."""
        permalink = _text(self.front.get("permalink")) or str(self.path)
        aliases = map(str, _items(self.front.get("aliases")))
        return [str(self.path), self.title, permalink, self.path.name, *aliases]


def read(files: Sequence[SourceFile]) -> Iterator[ReadLine]:
    """Read notes: their entities and observations first, then the relations, whose ends exist by then."""
    notes: list[_Note] = []
    for file in files:
        yield from bounded(LineNumber(1, file.label), _opened(file, notes))
    if any(str(note.path) == "index" and "okf_version" in note.front for note in notes):
        notes = [replace(note, bundled=True) for note in notes if note.path.name not in ("index", "log")]
    _give_names(notes)
    names = _Names(notes)
    relations: list[ReadLine] = []
    for note in notes:
        yield from bounded(LineNumber(1, note.file.label), _content(note, names, relations))
    yield from relations


def _opened(file: SourceFile, notes: list[_Note]) -> Iterator[ReadLine]:
    """Add the note of a file; yields what was not read of it."""
    place, text = LineNumber(1, file.label), "".join(file.lines)
    if not is_decoded(text):
        yield place, Fault("the file is not UTF-8")
        return
    path = PurePosixPath(file.label or file.name).with_suffix("")
    found = _FRONT.match(text)
    note = _Note(file, path, {}, text[found.end() :] if found else text, found[0].count("\n") if found else 0)
    try:
        note.front = _front_matter(found[1]) if found else {}
    except Warned as reason:
        yield place, reason
    notes.append(note)


def _content(note: _Note, names: "_Names", relations: list[ReadLine]) -> Iterator[ReadLine]:
    """The entity and the observations of a note; adds its relations."""
    yield LineNumber(1, note.file.label), _entity(note)
    links = [*_property_links(note.front)]
    for block in blocks(note.body, note.lines_above):
        links += block.links
        if block.text and not (note.bundled and _FOOTNOTE.match(block.text)):
            yield LineNumber(block.line, note.file.label), _observation(note, block)
    relations += names.relations(note, links)


class _Texts(yaml.BaseLoader):
    """YAML whose scalars are texts, as they are written: `No`, 01234 and 12:30 stay what they are.

    Aliases are refused: 445 bytes of them stood for 43 GB; so are lists in lists in lists: each bracket costs
    the time of all that are open, seconds for 2 KB of them.
    """

    def fetch_flow_collection_start(self, TokenClass: type[yaml.Token]) -> None:
        if self.flow_level == _DEEPEST:  # pyright: ignore[reportUnknownMemberType]
            raise yaml.YAMLError("too deep")
        super().fetch_flow_collection_start(TokenClass)  # pyright: ignore[reportUnknownMemberType]

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):  # pyright: ignore[reportUnknownMemberType]
            raise yaml.YAMLError("aliases")
        return super().compose_node(parent, index)


def _front_matter(text: str) -> dict[str, Any]:
    """The front matter; its values are texts, lists and objects. Raises Warned."""
    try:
        front: object = yaml.load(text, _Texts) or {}  # noqa: S506  # it makes texts, lists and dicts only
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        raise Warned("its front matter is not YAML without aliases and was left out") from None
    if not isinstance(front, dict):
        raise Warned("its front matter has no properties")
    return {str(name): value for name, value in cast("dict[Any, Any]", front).items()}


def _text(value: object) -> str:
    """A property as text; a list is joined."""
    return ", ".join(str(item).strip() for item in _items(value))


def _items(value: object) -> list[Any]:
    """The items of a property: those of a list, else the value itself if there is one."""
    return cast("list[Any]", value) if isinstance(value, list) else [] if value is None else [value]


def _give_names(notes: Sequence[_Note]) -> None:
    """Name every note by its title, and notes of one title and type by their paths."""
    titles = [(keys.normalised(note.title), keys.normalised(note.kind)) for note in notes]
    counts = Counter(titles)
    for note, title in zip(notes, titles, strict=True):
        note.name = note.title if counts[title] == 1 else str(note.path)


def _entity(note: _Note) -> Record:
    data = {name: value for name, value in note.front.items() if name not in ("title", "type")}
    if note.bundled and isinstance(held := data.get("data"), str):
        with suppress(ValueError):  # the data of our own bundles
            data = json.loads(held)
    if note.file.label:
        data["file"] = note.file.label
    return record(
        "entity",
        name=note.name,
        entity_type=note.kind,
        description=_text(note.front.get("description")) or None,
        data=data or None,
    )


def _observation(note: _Note, block: Block) -> Record:
    heading = keys.normalised(block.heading)
    text, since, footnotes = block.text, None, _FOOTNOTE.findall(block.text)
    if note.bundled:
        text = _FOOTNOTE.sub("", text)
        since = _SINCE.search(text)
        text = text[: since.start()] if since else text
    unnamed = not heading or heading in _PLAIN_HEADINGS or heading == keys.normalised(note.title)
    return record(
        "observation",
        entity=note.name,
        entity_type=note.kind,
        content=text if unnamed else f"{block.heading}: {text}",
        valid_from=since and since[1],
        source=note.source(footnotes[-1] if footnotes else None),
    )


def _property_links(front: Mapping[str, Any]) -> Iterator[Link]:
    for name, value in front.items():
        for one in _items(value):
            # Without quotation marks, YAML reads [[Note]] as a list in a list.
            text = f"[[{_text(cast('object', one))}]]" if isinstance(one, list) else str(one)
            found = _PROPERTY_LINK.fullmatch(text)
            if found is not None:
                yield Link(1, target_of(found[1]), name)


class _Names:
    """The notes by every name that a link may use: path, title, permalink, file name and alias."""

    def __init__(self, notes: Sequence[_Note]) -> None:
        self._notes: dict[str, _Note] = {}
        # By rank, so that a title of one note comes before an alias of another.
        ranked = [(rank, name, note) for note in notes for rank, name in enumerate(note.names)]
        for _, name, note in sorted(ranked, key=lambda one: one[0]):
            self._notes.setdefault(keys.normalised(name), note)

    def relations(self, note: _Note, links: Sequence[Link]) -> Iterator[ReadLine]:
        """The relations of a note, each once. A target that is no note here is an entity of that name."""
        seen: set[tuple[str | None, str]] = set()
        for link in links:
            if not link.target or _NOT_NOTES.search(link.target):
                continue
            target = self._find(note, link.target)
            name = PurePosixPath(link.target).name if target is None else target.name
            if target is note or (link.name, name) in seen:
                continue
            seen.add((link.name, name))
            relation = record(
                "relation",
                from_=note.name,
                from_type=note.kind,
                type="LINKS_TO" if link.name is None else link.name,
                to=name,
                to_type=None if target is None else target.kind,
                valid_from=link.since,
                source=note.source(link.footnote),
            )
            yield LineNumber(link.line, note.file.label), relation

    def _find(self, note: _Note, target: str) -> _Note | None:
        # A Markdown link is relative to its note, a wiki link to the folder; either may be a bare name.
        beside = note.path.parent
        climbs = len(target) - len(target.removeprefix("../"))
        for path in (str(beside / target), str(beside.parent / target[climbs:]), target.removeprefix("/")):
            found = self._notes.get(keys.normalised(path))
            if found is not None:
                return found
        return None
