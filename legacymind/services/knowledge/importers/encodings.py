"""The encoding of files: UTF-8, UTF-16 or UTF-32, with or without a byte order mark."""

import codecs
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

_MARK: Final = "\ufeff"


def utf8(lines: Iterable[str | bytes]) -> Iterator[str | bytes]:
    """The lines of a file as text or UTF-8, without a byte order mark. A stream stays a stream.

    A byte of another encoding stays, so that the reader of its line reports it.
    """
    rest = iter(lines)
    first = next(rest, None)
    if first is None:
        return
    if isinstance(first, str):
        yield first.removeprefix(_MARK)
    elif (encoding := json.detect_encoding(first)) in ("utf-8", "utf-8-sig"):
        yield first.removeprefix(codecs.BOM_UTF8)
    else:
        yield from _decoded(chain([first], rest), encoding)
        return
    yield from rest


def _decoded(pieces: Iterable[str | bytes], encoding: str) -> Iterator[str | bytes]:
    """The lines of pieces that may end within a character. Wrong bytes make a last line that is not UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
    begun: list[str] = []  # of a line; joined once, so that a long line takes linear time
    try:
        for piece in pieces:
            text = decoder.decode(piece if isinstance(piece, bytes) else piece.encode(encoding))
            *whole, rest = text.split("\n")
            for line in whole:
                yield "".join([*begun, line, "\n"])
                begun = []
            begun.append(rest)
        begun.append(decoder.decode(b"", final=True))
    except UnicodeDecodeError:
        yield b"\xff" + "".join(begun).encode(errors="replace")
        return
    if text := "".join(begun):
        yield text


def beginning(head: bytes) -> str:
    """The first bytes of a file as text."""
    return head.decode(json.detect_encoding(head[:4]), errors="replace").removeprefix(_MARK)
