"""Reads maps out of Cypher text: the keys a statement takes from its parameters, and the keys it returns.

This is a reader of the project's own statements, not a parser of Cypher. It follows names through ``AS``,
``UNWIND``, list comprehensions, quantifiers, the columns of subqueries, places in a list (``list[i]``, if
``i`` is of a ``range``) and members of maps; a construct it cannot follow yields no keys, so that a test
which compares them with a type fails instead of passing by accident.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Path = tuple[str, ...]
"""A parameter and the keys below it. Lists are ignored: ``$thoughts[0].links[1].id`` has three names."""

_TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<token>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\$?[A-Za-z_]\w*"
    r"|\d+(?:\.\d+)?(?:[eE]-?\d+)?|\.\.|\+=|=~|<=|>=|<>|->|<-|.)",
    re.DOTALL,
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_ITEMS_BEGIN = frozenset({"WITH", "RETURN", "UNWIND", "DISTINCT", "YIELD"})
_CLAUSES = frozenset({"ORDER", "SKIP", "LIMIT", "WHERE", "UNION"})
_SUBQUERIES = frozenset({"EXISTS", "COUNT", "COLLECT"})
_TRANSPARENT = frozenset({"collect", "head", "last", "coalesce"})
"""Functions that return their argument, an item of it, or a list of it."""


def tokens(text: str) -> list[str]:
    """The tokens of a statement, without comments."""
    return [match["token"] for match in _TOKEN.finditer(text) if match["token"] is not None]


# --- parameters -----------------------------------------------------------------------------------


@dataclass
class Reads:
    """The keys read below each path, and the paths with a map that is used as a whole, with any keys.

    ``made`` are the paths that members of the statement's own maps hold, and ``places`` the names of places
    in lists.
    """

    keys: dict[Path, set[str]] = field(default_factory=dict[Path, set[str]])
    whole: set[Path] = field(default_factory=set[Path])
    made: dict[Path, Path] = field(default_factory=dict[Path, Path])
    places: set[str] = field(default_factory=set[str])


def reads(text: str) -> Reads:
    """The keys that a statement reads from its parameters, which are the keys of the path ()."""
    found = Reads()
    words = tokens(text)
    scopes: list[dict[str, Path]] = [{}]
    starts = [0]
    """The start of the expression that an AS would name, by depth."""
    functions = [""]
    columns: list[dict[str, Path] | None] = [None]
    """The columns of each subquery once its RETURN has begun, by depth."""
    at = 0
    while at < len(words):
        word = words[at]
        names = scopes[-1]
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in _OPENING:
            scopes.append(dict(names))
            starts.append(at + 1)
            functions.append(before)
            columns.append(None)
        elif word in _CLOSING:
            scopes.pop()
            scopes[-1].update(columns.pop() or {})
            starts.pop()
            functions.pop()
        elif word in _ITEMS_BEGIN or word == ",":
            starts[-1] = at + 1
            columns[-1] = {} if word == "RETURN" else columns[-1]
        elif before == "AS":
            expression = words[starts[-1] : at - 1]
            if expression[:1] == ["range"]:
                found.places.add(word)
            _bind(names, word, _path(expression, names, found) or _made(at, expression, names, found))
            if columns[-1] is not None and word in names:
                columns[-1][word] = names[word]
        elif after == "IN" and (before in ("[", "(") or (before == "," and functions[-1] == "reduce")):
            items = list(_until(words, at + 2, {"WHERE", "|"}))
            if items[:1] == ["range"]:
                found.places.add(word)
            _bind(names, word, _path(items, names, found))
        elif after == ":" and before in ("(", "["):
            names.pop(word, None)  # a pattern's own variable
        elif re.match(r"\$\w", word) or (word in names and before != "." and after != ":"):
            at = _read(words, at, (word[1:],) if word.startswith("$") else names[word], found)
            continue
        at += 1
    return found


def _read(words: list[str], at: int, path: Path, found: Reads) -> int:
    """Record one use of a path and the keys that follow it; returns where the use ends."""
    before = words[at - 1] if at else ""
    function = words[at - 2] if at > 1 and before == "(" else ""
    if len(path) == 1 and not path[0].startswith("#"):
        found.keys.setdefault((), set()).add(path[0])
    at += 1
    while True:
        at += 3 if _is_place(words[at : at + 3], found) else 0
        if words[at : at + 1] != ["."]:
            break
        found.keys.setdefault(path, set()).add(words[at + 1])
        path = found.made.get((*path, words[at + 1]), (*path, words[at + 1]))
        at += 2
    by_name = words[at : at + 1] == ["["] and not re.match(r"\d|\.\.|-|\$", words[at + 1])
    if before in ("=", "+=") or function == "keys" or by_name:
        found.whole.add(path)
    return at


def _is_place(words: list[str], found: Reads) -> bool:
    """Whether the tokens are a place in a list, such as ``[i]``."""
    return len(words) == 3 and words[0] == "[" and words[1] in found.places and words[2] == "]"


def _bind(names: dict[str, Path], name: str, path: Path | None) -> None:
    if path is None:
        names.pop(name, None)
    else:
        names[name] = path


def _path(expression: list[str], names: dict[str, Path], found: Reads) -> Path | None:
    """The path of an expression, or None; that of ``coalesce(path, …)`` or a filtered list is the path."""
    match expression:
        case ["coalesce", "(", *rest]:
            return _path(rest[: rest.index(",")], names, found)
        case ["[", _, "IN", name, "WHERE", *rest] if "|" not in rest:
            return names.get(name)
        case [first, *rest] if first.startswith("$") or first in names:
            path = (first[1:],) if first.startswith("$") else names[first]
            while rest:
                if _is_place(rest[:3], found):
                    rest = rest[3:]
                elif rest[0] == "." and len(rest) > 1:
                    path = found.made.get((*path, rest[1]), (*path, rest[1]))
                    rest = rest[2:]
                else:
                    return None
            return path
        case _:
            return None


def _made(at: int, expression: list[str], names: dict[str, Path], found: Reads) -> Path | None:
    """A path of its own for ``collect({key: path, …})``, whose members have the paths of their values."""
    match expression:
        case ["collect", "(", "{", *members, "}", ")"]:
            own = (f"#{at}",)
            for begin, end in _split(members, 0, len(members), frozenset()):
                value = _path(members[begin + 2 : end], names, found)
                if value is not None:
                    found.made[*own, members[begin]] = value
            return own
        case _:
            return None


# --- returned columns ------------------------------------------------------------------------------


@dataclass
class Map:
    """A map that a statement builds: for each key the maps it may hold; ``open`` when it has others too."""

    keys: dict[str, list["Map"]] = field(default_factory=dict[str, list["Map"]])
    open: bool = False


def returned(text: str) -> dict[str, list[Map]]:
    """For each returned column, the maps that it may be or be a list of."""
    words = tokens(text)
    columns: dict[str, list[Map]] = {}
    for begin, end in _split(words, _last_return(words) + 1, len(words), _CLAUSES):
        named = words[end - 2] == "AS" if end - begin > 2 else False
        columns[words[end - 1]] = _maps(words, begin, end - 2 if named else end)
    return columns


def _last_return(words: list[str]) -> int:
    depth, last = 0, len(words)
    for at, word in enumerate(words):
        depth += (word in _OPENING) - (word in _CLOSING)
        if word == "RETURN" and depth == 0:
            last = at
    return last


def _maps(words: list[str], begin: int, end: int) -> list[Map]:
    """The maps that the expression between two tokens may be, or be a list of."""
    parts = list(_split(words, begin, end, frozenset(), at={"+"}))
    if len(parts) > 1:
        return [found for part in parts for found in _maps(words, *part)]
    match words[begin:end]:
        case ["{", *_, "}"]:
            return [_map(words, begin + 1, end - 1)]
        case [name, "{", *_, "}"]:
            return [] if name in _SUBQUERIES else [_map(words, begin + 2, end - 1, of=begin)]
        case [function, "(", *_, ")"] if function in _TRANSPARENT:
            arguments = _split(words, begin + 2, end - 1, frozenset())
            return [found for part in arguments for found in _maps(words, *part)]
        case [*_, "]"] if (opening := _opening(words, end - 1)) > begin:
            return _maps(words, begin, opening)  # an item or a slice of a list
        case ["[", *_, "]"]:
            parts = list(_split(words, begin + 1, end - 1, frozenset(), at={"|"}))
            if (
                len(parts) == 1 and words[begin + 2] == "IN"
            ):  # without a body, its items are those of the list
                parts = list(_split(words, begin + 3, end - 1, frozenset({"WHERE"}), at={"|"}))
            return _maps(words, *parts[-1]) if parts else []
        case ["CASE", *_, "END"]:
            return [found for part in _branches(words, begin + 1, end - 1) for found in _maps(words, *part)]
        case [name]:
            return _definition(words, begin, name)
        case [name, ".", key]:
            return [found for made in _definition(words, begin, name) for found in made.keys.get(key, [])]
        case _:
            return []


def _map(words: list[str], begin: int, end: int, *, of: int | None = None) -> Map:
    """A map literal, or a projection ``of`` the variable at that token."""
    made = Map()
    for first, last in _split(words, begin, end, frozenset()):
        match words[first:last]:
            case [".", "*"]:
                sources = [] if of is None else _definition(words, of, words[of])
                made.open |= not sources or any(source.open for source in sources)
                for source in sources:
                    made.keys |= source.keys
            case [".", key] | [key]:
                made.keys[key] = []
            case [key, ":", *_]:
                made.keys[key] = _maps(words, first + 2, last)
            case _:
                raise ValueError(f"not an item of a map: {' '.join(words[first:last])}")
    return made


def _definition(words: list[str], before: int, name: str) -> list[Map]:
    """The maps of the latest ``… AS name`` before a token, and of those in the other parts of its UNION."""
    found: list[Map] = []
    last = next((at for at in range(before - 1, 0, -1) if words[at] == name and words[at - 1] == "AS"), 0)
    depth, is_part = 0, True
    for at in range(last, 0, -1):
        depth += (words[at] in _CLOSING) - (words[at] in _OPENING)
        if depth < 0:
            break
        is_part |= depth == 0 and words[at] == "UNION"
        if is_part and depth == 0 and words[at] == name and words[at - 1] == "AS":
            found += _maps(words, _start(words, at - 2), at - 1)
            is_part = False
    return found


def _start(words: list[str], end: int) -> int:
    """The first token of the expression that ends at a token."""
    depth = 0
    while depth > 0 or (words[end] not in _ITEMS_BEGIN and words[end] != ","):
        depth += (words[end] in _CLOSING) - (words[end] in _OPENING)
        end -= 1
    return end + 1


def _split(
    words: list[str], begin: int, end: int, stop: frozenset[str], *, at: set[str] | None = None
) -> Iterator[tuple[int, int]]:
    """The parts of an expression between top-level commas, or tokens ``at``, up to a token of ``stop``."""
    depth, start = 0, begin
    for place in range(begin, end):
        word = words[place]
        if depth == 0 and word in stop:
            end = place
            break
        depth += (word in _OPENING or word == "CASE") - (word in _CLOSING or word == "END")
        if depth == 0 and word in (at or {","}):
            yield start, place
            start = place + 1
    if start < end:
        yield start, end


def _opening(words: list[str], closing: int) -> int:
    depth, at = 0, closing
    while at == closing or depth > 0:
        depth += (words[at] in _CLOSING) - (words[at] in _OPENING)
        at -= 1
    return at + 1


def _branches(words: list[str], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The values of a CASE, between THEN or ELSE and the next of its own keywords."""
    depth, start = 0, None
    for place in range(begin, end):
        word = words[place]
        if depth == 0 and word in ("WHEN", "THEN", "ELSE"):
            if start is not None:
                yield start, place
            start = None if word == "WHEN" else place + 1
        depth += (word in _OPENING or word == "CASE") - (word in _CLOSING or word == "END")
    if start is not None:
        yield start, end


def _until(words: list[str], begin: int, stop: set[str]) -> Iterator[str]:
    """The tokens of an iterated list, up to its condition, its body or its end."""
    depth = 0
    for word in words[begin:]:
        if depth == 0 and (word in stop or word in _CLOSING):
            return
        depth += (word in _OPENING) - (word in _CLOSING)
        yield word
