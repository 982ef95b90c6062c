"""Write the shared parts of ``cypher/_parts`` into the statements that name them.

``python -m scripts.compose_cypher`` rewrites the files that differ; with ``--check`` it lists them and
exits with 1.
``cypher/_parts/README.md`` describes the marks. The part ``members`` lists the properties of a class of
``legacymind.model.stored``.
"""

import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from legacymind.model import stored
from legacymind.model.properties import properties

CYPHER = Path(__file__).resolve().parents[1] / "cypher"
PARTS = CYPHER / "_parts"

_SIGNATURE = re.compile(r"// part: (\w+)\((.*)\)")
_LINE = re.compile(r"(\s*(?:(?:WHERE|AND|OR) |\w+: )?(?:NOT )?)(.*?)(,?)  // part: (\w+)\((.*)\)")
_BLOCK = re.compile(r"(\s*)// part: (\w+)\((.*)\)")
_END = re.compile(r"\s*// end of part")
_PLACE = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of Cypher: its parameters with their defaults (None: required), and its lines."""

    name: str
    parameters: dict[str, str | None]
    body: tuple[str, ...]

    def lines(self, arguments: str) -> list[str]:
        """The body with arguments such as ``t, new.session_id``; raises ValueError when they do not fit."""
        given = [argument.strip() for argument in arguments.split(",")] if arguments.strip() else []
        if len(given) > len(self.parameters):
            raise ValueError(f"{self.name} takes {len(self.parameters)} arguments, not {len(given)}.")
        values = self.parameters | dict(zip(self.parameters, given, strict=False))
        missing = [name for name, value in values.items() if value is None]
        if missing:
            raise ValueError(f"{self.name} needs {', '.join(missing)}.")
        return [_PLACE.sub(lambda place: values[place[1]] or "", line) for line in self.body]


@cache
def part(name: str) -> Part:
    """The part of this name; raises ValueError when it does not exist or its signature is not valid."""
    file = PARTS / f"{name}.cypher"
    if not file.is_file():
        raise ValueError(f"There is no part {name}.")
    first, *rest = file.read_text(encoding="utf-8").splitlines()
    signature = _SIGNATURE.fullmatch(first)
    if signature is None or signature[1] != name:
        raise ValueError(f"{name}.cypher does not begin with its signature.")
    parameters: dict[str, str | None] = {}
    for parameter in filter(None, (text.strip() for text in signature[2].split(","))):
        key, _, default = parameter.partition(" = ")
        parameters[key] = default or None
    # The comment at the head documents the part; comments further down belong to the body.
    while rest and rest[0].startswith("//"):
        rest.pop(0)
    used = set(_PLACE.findall("\n".join(rest)))
    if used != parameters.keys():
        raise ValueError(f"{name}.cypher uses {sorted(used)}, but its signature has {sorted(parameters)}.")
    return Part(name, parameters, tuple(rest))


def members(record: str) -> list[str]:
    """The properties of a class or of a list of ``model.stored``, for a map projection."""
    found = getattr(stored, record)
    names = properties(found) if isinstance(found, type) else found
    listed = ", ".join(f".{name}" for name in names)
    return textwrap.wrap(f"{listed},", 110)


def compose(text: str) -> str:
    """A statement with every part it names written anew."""
    lines = iter(text.splitlines())
    composed: list[str] = []
    for line in lines:
        if block := _BLOCK.fullmatch(line):
            indent, name, arguments = block.groups()
            lines_of = members(arguments) if name == "members" else part(name).lines(arguments)
            inner = compose("\n".join(lines_of))
            composed += [line, *(indent + written for written in inner.splitlines())]
            composed.append(_end(name, lines))
        elif marked := _LINE.fullmatch(line):
            before, _, comma, name, arguments = marked.groups()
            (body,) = part(name).lines(arguments)
            composed.append(f"{before}{body}{comma}  // part: {name}({arguments})")
        else:
            composed.append(line)
    return "\n".join(composed) + "\n"


def _end(name: str, lines: Iterator[str]) -> str:
    """The line that ends a part of several lines, after those of the parts that it names."""
    depth = 1
    for line in lines:
        depth += 1 if _BLOCK.fullmatch(line) else -1 if _END.fullmatch(line) else 0
        if depth == 0:
            return line
    raise ValueError(f"The part {name} has no end.")


def statements() -> list[Path]:
    """Every file that holds a statement: all but the parts."""
    return [file for file in sorted(CYPHER.rglob("*.cypher")) if PARTS not in file.parents]


def stale() -> dict[Path, str]:
    """The files that differ from what their parts compose, with the text they should have."""
    composed = {file: compose(file.read_text(encoding="utf-8")) for file in statements()}
    return {file: text for file, text in composed.items() if file.read_text(encoding="utf-8") != text}


def main() -> int:
    """Rewrite stale files, or with ``--check`` only list them; the exit code."""
    check = "--check" in sys.argv[1:]
    found = stale()
    for file, text in found.items():
        print(file.relative_to(CYPHER.parent))
        if not check:
            file.write_text(text, encoding="utf-8")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
