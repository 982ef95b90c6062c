"""Lines of JSON, which several formats share."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.records import Fault, LineNumber, SourceFile, is_decoded

MAX_LINE: Final = 1024 * 1024
"""The most characters of one line of the import format; the limit of a thought's content is far lower."""


def parsed(raw: str) -> Any:
    """The JSON value of a line. Raises Fault."""
    if not is_decoded(raw):
        raise Fault("it is not UTF-8")
    try:
        return json.loads(raw)
    except json.JSONDecodeError as reason:
        raise Fault(f"it is not JSON ({reason.msg} at character {reason.colno})") from None
    except RecursionError:
        raise Fault("it is nested too deeply") from None
    except ValueError as reason:  # A number of 5,000 digits, for example.
        raise Fault(f"it cannot be read ({str(reason)[:80]})") from None


def members(value: object) -> dict[str, Any]:
    """The members of a JSON object; none if the value is no object."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def filled(file: SourceFile) -> Iterator[tuple[LineNumber, str]]:
    """The lines of a file with their places, without blank ones."""
    for number, raw in enumerate(file.lines, start=1):
        if raw.strip():
            yield LineNumber(number, file.label), raw


def values(file: SourceFile) -> Iterator[tuple[LineNumber, Any]]:
    """The JSON values of a file, or their faults: of each line, or of a document that has several lines.

    A file with a value on its first line stays a stream.
    """
    lines = filled(file)
    first = next(lines, None)
    if first is None:
        return
    held = [first]
    if isinstance(_value(first[1]), Fault):
        held += lines
        document = _value(_joined(held))
        if not isinstance(document, Fault):
            yield first[0], document
            return
    for place, raw in chain(held, lines):
        yield place, _value(raw)


def _joined(lines: Iterable[tuple[LineNumber, str]]) -> str:
    return "\n".join(raw for _, raw in lines)


def documents(file: SourceFile) -> Iterator[tuple[LineNumber, Any, bool]]:
    """The JSON values of a file, or their faults, and whether the value is the whole file.

    A file is one document, or a document on each line.
    """
    lines = filled(file)
    begun = [*islice(lines, 2)]
    if not begun or isinstance(_value(begun[0][1]), Fault):  # no line is a document of its own
        text = "\n".join(raw for _, raw in chain(begun, lines))
        yield LineNumber(1, file.label), _value(text), True
        return
    for place, raw in chain(begun, lines):
        yield place, _value(raw), len(begun) == 1


def _value(raw: str) -> Any:
    try:
        return parsed(raw)
    except Fault as reason:
        return Fault(*reason.args)  # one that was raised keeps the frames of its traceback
