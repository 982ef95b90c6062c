"""Lines of JSON, which several formats share."""

import json
from collections.abc import Iterator
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


def filled(file: SourceFile) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, without blank ones."""
    return ((number, raw) for number, raw in enumerate(file.lines, start=1) if raw.strip())


def documents(file: SourceFile) -> Iterator[tuple[LineNumber, Any, bool]]:
    """The JSON values of a file, or their faults, and whether the value is the whole file.

    A file is one document, or has one on each line. With a document on its first line it stays a stream.
    """
    lines = filled(file)
    begun = [*islice(lines, 2)]
    if not begun or isinstance(_value(begun[0][1]), Fault):
        begun += lines
        whole = _value("\n".join(raw for _, raw in begun))
        if not isinstance(whole, Fault) or not any(isinstance(_value(raw), dict) for _, raw in begun):
            yield LineNumber(begun[0][0] if begun else 1, file.label), whole, True
            return
    for number, raw in chain(begun, lines):
        yield LineNumber(number, file.label), _value(raw), len(begun) == 1


def _value(raw: str) -> Any:
    try:
        return parsed(raw)
    except Fault as reason:
        return Fault(*reason.args)  # one that was raised keeps the frames of its traceback
