"""Parses a text once for all frameworks: its sentences and what each expresses."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from legacymind.text.error_signature import find_error
from legacymind.text.frameworks import words
from legacymind.text.frameworks.logs import is_stamped
from legacymind.text.frameworks.quantities import Quantity, quantities

READ: Final = 8_192
"""Characters read at each end of a text longer than twice this."""

_SENTENCE: Final = 400  # characters read of a sentence
_SENTENCES: Final = 120  # sentences read, half from each end
_WRAPPED: Final = 50  # characters of a line that may continue on the next
_COMPLETE: Final = (".", "!", "?", ":", ";", "…", "。", "！", "？", "؟")
_LINES: Final = 400  # lines read for errors and logs

_FENCE: Final = re.compile(r"^ *(?:```|~~~)")
_BULLET: Final = re.compile(r"^(?:[-*•>#–]+|\d{1,3}[.)]|\[[ x]\])\s+")
_ENDS: Final = re.compile(
    r"(?<=[.!?…])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bcf\.)[\"')\]”’»]{0,2}\s+|(?<=[。！？؟])"
)
_CODE_LINE: Final = re.compile(
    r"^\s*(?:at [\w.$<>]+\(|File \"|\^+$|~+\^|Traceback |\.\.\. \d+ more"
    r"|(?:def|class|import|return|const|let|var)\s.*[:;{]$|[\w.\]\[]+ = .*[\w)\]};]$|[}\])];?$|.*(?:\{|\);)$"
    r"|E {2,}|>>> |\$ |\+\+\+|---|@@|goroutine \d|\d\d:\d\d:\d\d\b)"
)
_LAST_CLAUSE: Final = re.compile(r"^.*(?:[;:,] (?:and |but )?| but )(?=\S+ \S+ \S)")
_BELIEVED: Final = re.compile(
    r"^(?:i (?:think|believe|guess|suppose|suspect)|maybe|perhaps|probably)(?: that)? (?=\S+ \S)",
    re.IGNORECASE,
)
_CONTROL: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_HIDDEN: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")

_SUBJECT: Final = re.compile(
    r"(?:(?:therefore|consequently|hence|thus|so|and|then),? )?"
    r"(?:the|an?|i|we|you|he|she|it|they|this|that|these|those|my|our|its|his|her|their|all|no|nobody|every\w*|each|some|most|many)\b",
    re.IGNORECASE,
)
_CAUSES: Final = 12  # maximum number of causes compared; the time grows with its square


@dataclass(frozen=True, slots=True)
class Sides:
    """Two related parts of the text, as written."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and what it expresses.

    ``low`` is its text in lower case, with straight apostrophes and of the same length.
    ``marks`` has, for each kind of mark (see ``words.MARKS``), the first phrase of that kind as written. In
    ``cause``, ``one`` is the effect and ``other`` the cause. ``topics`` are the words that it is about.
    """

    text: str
    low: str
    asks: bool
    marks: Mapping[str, str]
    cause: Sides | None
    contrast: Sides | None
    options: Sides | None
    goal: str | None
    decided: bool
    the_more: str | None
    numbers: tuple[str, ...]
    figures: tuple[Quantity, ...]
    topics: frozenset[str]

    def search(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The match of a pattern for lower-case text with straight apostrophes."""
        return pattern.search(self.low)

    def part(self, found: re.Match[str], group: str) -> str:
        """The original text of a group of a match."""
        return _at(self.text, found, group).rstrip(" .,;:!")

    def has(self, *marks: str) -> bool:
        """Whether the sentence has any of these marks."""
        return not self.marks.keys().isdisjoint(marks)


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed text, the input of all frameworks.

    ``error`` is the error that the text is about, ``chain`` its longest chain of causes. ``lines`` has all
    lines, also those of code and logs. ``read`` describes which part of the text was read.
    """

    sentences: tuple[Sentence, ...]
    error: str | None
    chain: tuple[Sides, ...]
    lines: list[str]
    read: str

    @property
    def stated(self) -> list[Sentence]:
        """The sentences that are not questions."""
        return [one for one in self.sentences if not one.asks]

    @property
    def asked(self) -> list[Sentence]:
        """The questions of more than two words."""
        return [one for one in self.sentences if one.asks and _is_substantial(one.text)]

    def carrying(self, *marks: str) -> list[Sentence]:
        """The sentences with any of these marks, in the order of the text."""
        return [one for one in self.sentences if one.has(*marks)]


def read(content: str) -> Reading:
    """Parse a text. The time is bounded: at most 16 KB are read."""
    long = len(content) > 2 * READ
    text = f"{content[:READ]}\n{content[-READ:]}" if long else content
    named = find_error(text)
    error = (
        " ".join(_visible(named.message if named.kind == "error" else str(named)).split()) if named else None
    )
    pieces = [piece for piece in _pieces(_visible(text)) if piece.rstrip(".") != error]
    many = len(pieces) > _SENTENCES
    few = pieces[: _SENTENCES // 2] + pieces[-_SENTENCES // 2 :] if many else pieces
    low = text.lower()
    vocabulary = frozenset(words.TOKEN_PATTERN.findall(low))
    sentences: list[Sentence] = []
    for piece in few:
        sentences.append(_sentence(piece, sentences[-1] if sentences else None, vocabulary))
    return Reading(
        sentences=tuple(sentences),
        error=error,
        chain=_longest_chain([one.cause for one in sentences if one.cause]),
        lines=[line[:_SENTENCE] for line in _visible(text).split("\n")][:_LINES],
        read="; ".join(
            part
            for part, applies in (
                (f"the first and the last {READ:,} of {len(content):,} characters", long),
                (f"{_SENTENCES} of {len(pieces):,} sentences", many),
            )
            if applies
        )
        or "all",
    )


def _visible(text: str) -> str:
    """The text without control characters, lone surrogates and bidirectional marks."""
    return _HIDDEN.sub("", _CONTROL.sub(" ", "\n".join(text.splitlines())))


def _pieces(text: str) -> list[str]:
    """The sentences of the prose, without code, stack frames, log lines and bullets."""
    pieces: list[str] = []
    for paragraph in _paragraphs(text):
        for piece in _ENDS.split(paragraph):
            short = " ".join(piece[:_SENTENCE].split())
            if any(one.isalnum() for one in short):
                pieces.append(short)
    return pieces


def _paragraphs(text: str) -> list[str]:
    """The lines of the prose. A line that was wrapped inside a sentence is joined with the next."""
    found: list[str] = []
    fenced = wrapped = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        skipped = fenced or not line.strip() or _CODE_LINE.match(line[:_SENTENCE]) or is_stamped(line)
        if skipped or _FENCE.match(line):
            wrapped = False
            continue
        bare = line.strip()
        if wrapped and not _BULLET.match(bare):
            found[-1] += f" {bare}"
        else:
            found.append(_BULLET.sub("", bare))
        wrapped = len(bare) >= _WRAPPED and not bare.endswith(_COMPLETE)
    return found


def _is_substantial(text: str) -> bool:
    """Whether the text has more than two words, or is in a script that may have no spaces."""
    return len(text.split()) > 2 or (not text.isascii() and len(text) > 5)


def _sentence(text: str, before: Sentence | None, vocabulary: frozenset[str]) -> Sentence:
    low = _lower(text).replace("’", "'")
    tokens = [(found[0].rstrip("'-"), found.start()) for found in words.TOKEN_PATTERN.finditer(low)]
    tokens_seen = frozenset(token for token, _ in tokens)
    # The patterns are tried only if one of their words occurs; most sentences have few of them.
    causes, turns = (
        not tokens_seen.isdisjoint(words.CAUSE_WORDS),
        not tokens_seen.isdisjoint(words.CONTRAST_WORDS),
    )
    goal = None if tokens_seen.isdisjoint(words.GOAL_WORDS) else words.GOAL_PATTERN.search(low)
    more = words.THE_MORE_PATTERN.search(low) if low.count("the ") > 1 else None
    numbers = dict.fromkeys(_figure(_at(text, one)) for one in words.NUMBER_PATTERN.finditer(low))
    asks = text.rstrip("\"')”’» ").endswith(("?", "？", "؟"))
    return Sentence(
        text=text,
        low=low,
        asks=asks,
        marks=_marks(text, tokens),
        cause=_cause(text, low, before) if causes and not asks else None,
        contrast=_contrast(text, low, before) if turns else None,
        options=None
        if tokens_seen.isdisjoint(words.OPTION_WORDS)
        else _sides(text, low, words.OPTION_PATTERNS, "one", "other"),
        goal=_at(text, goal, "goal") if goal and not asks else None,
        decided=bool(goal and words.DECISION_PATTERN.search(goal["by"])),
        the_more=_at(text, more) if more else None,
        numbers=tuple(numbers)[:4],
        figures=quantities(text, low),
        topics=frozenset(
            # Plurals become singular if the singular occurs in the text too, so "Redis" is kept.
            token[:-1] if token.endswith("s") and token[:-1] in vocabulary else token
            for token in tokens_seen
            if 2 < len(token) <= 40 and token not in words.NOT_TOPICS and not token[0].isdigit()
        ),
    )


def _marks(text: str, tokens: list[tuple[str, int]]) -> dict[str, str]:
    """The first phrase of each kind of mark, as written."""
    found: dict[str, str] = {}
    for n, (token, start) in enumerate(tokens):
        for mark, rest in words.LEXICON.get(token, ()):
            if not rest:
                found.setdefault(mark, text[start : start + len(token)])
                continue
            following = tokens[n + 1 : n + 1 + len(rest)]
            if len(following) == len(rest) and all(
                word == wanted or (wanted == "*ing" and word.endswith("ing"))
                for (word, _), wanted in zip(following, rest, strict=True)
            ):
                word, last = tokens[n + len(rest)]
                found.setdefault(mark, text[start : last + len(word)])
    return found


def _lower(text: str) -> str:
    """The text in lower case with the same length: a few characters have two in lower case."""
    low = text.lower()
    return low if len(low) == len(text) else "".join((one.lower() + one)[: len(one)] for one in text)


def _at(text: str, found: re.Match[str], group: str | int = 0) -> str:
    """The original text of a match in the lower-case text."""
    return text[found.start(group) : found.end(group)]


def _sides(text: str, low: str, forms: tuple[re.Pattern[str], ...], one: str, other: str) -> Sides | None:
    for form in forms:
        if found := form.search(low):
            return Sides(_at(text, found, one), _at(text, found, other))
    return None


def _cause(text: str, low: str, before: Sentence | None) -> Sides | None:
    sides = _sides(text, low, words.CAUSE_PATTERNS, "effect", "cause")
    if sides is None:
        return _after(text, words.CONSEQUENCE_PATTERN.match(low), before, "effect", last=False)
    # Only the last clause before "because" or "leads to" belongs to the relation.
    one, other = sides.one, sides.other
    if text.startswith(one):
        one = _LAST_CLAUSE.sub("", one, count=1)
    else:
        other = _LAST_CLAUSE.sub("", other, count=1)
    return Sides(_BELIEVED.sub("", one), _BELIEVED.sub("", other))


def _contrast(text: str, low: str, before: Sentence | None) -> Sides | None:
    sides = _after(text, words.OBJECTION_PATTERN.match(low), before, "other", last=True) or _sides(
        text, low, words.CONTRAST_PATTERNS, "one", "other"
    )
    return sides if sides and _is_substantial(sides.one) and _is_substantial(sides.other) else None


def _figure(found: str) -> str:
    """A number with its unit; a following word that is not a unit is removed."""
    number, _, unit = found.partition(" ")
    return number if unit.lower() in words.NOT_TOPICS else found


def _after(
    text: str, found: re.Match[str] | None, before: Sentence | None, group: str, *, last: bool
) -> Sides | None:
    """The sides of a sentence that continues the previous one, which is the first side if ``last``."""
    if found is None or before is None:
        return None
    here = _at(text, found, group)
    return Sides(before.text, here) if last else Sides(here, before.text)


def _longest_chain(causes: Sequence[Sides]) -> tuple[Sides, ...]:
    """The longest chain of effects and causes, in which each effect is the cause of the one before.

    Both sides of each must begin like a clause, which a match of "since" or "so" in another meaning does not.
    """
    stated = [one for one in causes if _SUBJECT.match(one.one) and _SUBJECT.match(one.other)]
    tried = [(sides, _long_words(sides.one), _long_words(sides.other)) for sides in stated[:_CAUSES]]
    longest: list[int] = []
    for first in range(len(tried)):
        chain = [first]
        while following := [
            n
            for n, (_, effect, _) in enumerate(tried)
            if n not in chain and _same(tried[chain[-1]][2], effect)
        ]:
            chain.append(following[0])
        longest = max(longest, chain, key=len)
    return tuple(tried[n][0] for n in longest)


def _long_words(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,;:!?").rstrip("s") for word in text.lower().split() if len(word) > 3)


def _same(cause: frozenset[str], effect: frozenset[str]) -> bool:
    """Whether two long words are in common, or all words of the shorter part."""
    return len(cause & effect) >= max(1, min(2, len(cause), len(effect)))
