"""CSV files of entities, observations or relations, with a header (docs/memory/importing.md).

The columns decide what a row is: ``from`` and ``to`` a relation, ``entity`` and ``content`` an observation,
``name`` an entity. The column ``kind`` decides row by row. Empty cells are omitted.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import Any, Final

from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    Record,
    SourceFile,
    bounded,
    is_decoded,
    unread,
)

COLUMNS: Final = {
    "relation": ("from", "to", "type", "from_type", "to_type", "valid_from", "valid_to", "source"),
    "observation": ("entity", "content", "entity_type", "valid_from", "valid_to", "source"),
    "entity": ("name", "entity_type", "description", "valid_from"),
}
"""The columns of each kind of row, the most specific first. """

_OTHERS: Final = {"entity": "data", "relation": "properties"}
"""The member for the other columns of a row."""

_REQUIRED: Final = {
    "relation": {"from", "to", "type"},
    "observation": {"entity", "content"},
    "entity": {"name"},
}
_ORDER: Final = ("entity", "observation", "relation")


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read all files: entities first, then observations and relations, which name entities.

    Raises InvalidInput for a single file whose header has not the columns of any kind.
    """
    later: dict[str, list[ReadLine]] = {kind: [] for kind in _ORDER}
    for file in files:
        for place, found in bounded(LineNumber(1, file.label), _rows(file)):
            if isinstance(found, dict) and found["kind"] != "entity":
                later[found["kind"]].append((place, found))
            else:
                yield place, found
    for kind in _ORDER:
        yield from later[kind]


def _rows(file: SourceFile) -> Iterator[ReadLine]:
    lines, before, header = iter(file.lines), 0, ""
    while not header.strip() and (line := next(lines, None)) is not None:
        before, header = before + 1, line
    delimiter = max(",;\t", key=header.count)
    columns = [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter))]
    kind = _kind(columns)
    if kind is None:
        yield unread(
            LineNumber(max(before, 1), file.label),
            "its columns are not those of entities (name), observations (entity, content) or relations "
            "(from, to, type)",
        )
        return
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        place = LineNumber(before + rows.line_num + 1, file.label)
        try:
            row = next(rows, None)
            if row is None:
                return
            if any(cell.strip() for cell in row):
                yield place, _record(columns, row, kind)
        except csv.Error as reason:
            yield place, Fault(f"it is not CSV ({reason})")
        except Fault as reason:
            yield place, reason


def _kind(columns: list[str]) -> str | None:
    """The kind of the rows by their columns: "" if the column ``kind`` decides, None if nothing does."""
    if "kind" in columns:
        return ""
    return next((kind for kind in COLUMNS if _REQUIRED[kind] <= set(columns)), None)


def _record(columns: list[str], row: list[str], kind: str) -> Record:
    if len(row) > len(columns):
        raise Fault(f"it has {len(row)} cells, and the header has {len(columns)} columns")
    if not is_decoded("".join(row)):
        raise Fault("it is not UTF-8")
    cells: dict[str, Any] = {
        name: cell.strip() for name, cell in zip(columns, row, strict=False) if name and cell.strip()
    }
    kind = kind or str(cells.pop("kind", "")).lower()
    if kind not in COLUMNS:
        raise Fault("its kind is not entity, observation or relation")
    if kind in _OTHERS:
        other = {name: cells.pop(name) for name in [*cells] if name not in COLUMNS[kind]}
        if other:
            cells[_OTHERS[kind]] = other
    return {"kind": kind, **cells}
