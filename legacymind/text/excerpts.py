"""Excerpts of texts: a title, the beginning, or the part around the sentence that matches a query best."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from legacymind.text import words

_BORDER: Final = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]*]*+\s++|[。！？]++|\n\s*+")
"""The end of a sentence: punctuation before a space, or a line break. No character is read twice."""

_NO_END: Final = re.compile(
    r"(?:\A[\s>*•(-]*(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivxIVX]{1,5})"
    r"|(?:\A|[\s(\"“])(?:Mr|Mrs|Ms|Mx|Dr|Prof|Rev|Gen|Col|Capt|Lt|Sgt|St|Mt|(?:[A-Z]\.)*[A-Z]|[eE]\.g|[iI]\.e|vs|cf"
    r"|approx|ca|et al|incl|esp|resp|[Ff]igs?|[Vv]ol|pp))\Z"
)
"""What a full stop does not end: the number of an item, a title, an initial, an abbreviation."""

_MAY_END: Final = re.compile(
    r"(?:\A|[\s(\d])(?:etc|[ap]\.m|Inc|Ltd|Corp|Co|Jr|Sr|No|[Nn]os|Sec|Ch|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
    r"|Ph\.D|min|max|hrs?|mins?|dept|ext|tel)\Z"
)
"""Abbreviations that end a sentence, unless a number, a dash or a small letter follows in the line."""

_ABBREVIATION: Final = 20
"""Characters that are read before a full stop, more than any mark or abbreviation has."""

_TITLE: Final = 60

_JOINERS: Final = frozenset("\u200c\u200d\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
"""What belongs to the character before it: joiners, variants and skin tones."""

_FLAGS: Final = "".join(map(chr, range(0x1F1E6, 0x1F200)))
"""The letters of flags: two of them are one."""

_LONGEST: Final = 24
"""Characters of Unicode that a character has at most: a family of four with skin tones has eleven."""


def title(content: str) -> str:
    """The beginning of a text on one line, at most 60 characters: the caption of a node in Neo4j Browser."""
    first = " ".join(content.split())
    return first if len(first) <= _TITLE else excerpt(first, _TITLE - 1)


def excerpt(content: str | None, limit: int) -> str:
    """The first ``limit`` characters and an ellipsis; a redacted content (None) gives an empty string."""
    whole = content or ""
    return whole if len(whole) <= limit else f"{whole[: character_end(whole, limit)]}…"


def character_end(content: str, position: int) -> int:
    """The last position up to ``position`` that is not inside a character as people see it.

    Such a character may be several of Unicode: a letter with its accents or vowel signs, a joined emoji, a
    flag. If it begins too far back, which no real one does, it is cut.
    """
    for end in range(min(position, len(content)), max(0, position - _LONGEST), -1):
        if end == len(content) or not _joins(content, end):
            return end
    return position


def _joins(content: str, position: int) -> bool:
    """Whether the characters before and after a position are one."""
    before, after = content[position - 1], content[position]
    if after.isascii():
        return False
    if unicodedata.category(after) in ("Mn", "Mc", "Me") or after in _JOINERS or before == "\u200d":
        return True
    near = content[max(0, position - 40) : position]
    return after in _FLAGS and (len(near) - len(near.rstrip(_FLAGS))) % 2 == 1


class Passage:
    """A text and the sentence in it that contains the most of some words, to be cut to several lengths.

    ``stems`` are words in lower case, as ``fulltext.word_stems`` gives them. A word counts 1 divided by the
    number of sentences that contain it, so a word of every sentence decides nothing. Of equal sentences the
    first one is used; without any match it is the first of the text.
    """

    def __init__(self, content: str, stems: Sequence[str] = ()) -> None:
        self.content = content
        self._stems = stems
        self._sentences: list[tuple[int, int]] = []
        self._best = 0
        self._at = 0

    def within(self, limit: int) -> str:
        """At most ``limit`` characters: whole sentences around the best one, then a part of the next.

        Cuts are at the borders of sentences or words and marked by an ellipsis. Returns the whole text if it
        is short enough.
        """
        content = self.content
        if len(content) <= limit:
            return content
        if not self._sentences:
            self._sentences = sentences(content)
            self._best, self._at = self._match()
        room = limit - 2  # for two ellipses
        first = last = self._best
        start, end = self._sentences[first]
        if end - start > room:
            # A third of the excerpt is before the matching word.
            start = _word_start(content, max(start, self._at - room // 3), self._at)
            return _marked(content, start, _word_end(content, start, start + room))
        grown = True
        while grown:
            grown = False
            if last + 1 < len(self._sentences) and self._sentences[last + 1][1] - start <= room:
                last, grown = last + 1, True
                end = self._sentences[last][1]
            if first and end - self._sentences[first - 1][0] <= room:
                first, grown = first - 1, True
                start = self._sentences[first][0]
        if room - (end - start) > 20:  # room for a part of a sentence
            end = _word_end(content, start, start + room)
        return _marked(content, start, end)

    def _match(self) -> tuple[int, int]:
        """The number of the best sentence, and the position of its first word that occurs in the fewest."""
        texts = [words.comparable(self.content[start:end]) for start, end in self._sentences]
        found = {word: [n for n, text in enumerate(texts) if word in text] for word in self._stems}
        scores: dict[int, float] = {}
        for sentences in found.values():
            for sentence in sentences:
                scores[sentence] = scores.get(sentence, 0.0) + 1 / len(sentences)
        best = min(scores, key=lambda sentence: (-scores[sentence], sentence), default=0)
        start, end = self._sentences[best]
        inside = [word for word, sentences in found.items() if best in sentences]
        rarest = min(inside, key=lambda word: len(found[word]), default="")
        written = r"[\W_]+".join(map(re.escape, rarest.split()))
        before = r"(?<![^\W_])" if rarest.startswith(" ") else ""
        position = re.search(before + written, self.content[start:end], re.IGNORECASE)
        return best, start + (position.start() if position else 0)


def sentences(content: str) -> list[tuple[int, int]]:
    """The start and end of each sentence; the last may be cut."""
    spans: list[tuple[int, int]] = []
    start = 0
    for border in (*_BORDER.finditer(content), None):
        if border is not None and border[0].startswith(".") and _goes_on(content, start, border):
            continue
        stop = len(content) if border is None else border.end()
        end = start + len(content[start:stop].rstrip())
        if end > start:
            spans.append((start, end))
        start = stop
    return spans or [(0, len(content))]


def _goes_on(content: str, start: int, stop: re.Match[str]) -> bool:
    """Whether the sentence that begins at ``start`` goes on after a full stop."""
    before = content[max(start, stop.start() - _ABBREVIATION) : stop.start()]
    after = content[stop.end() : stop.end() + 1]
    if _NO_END.search(before):
        return True
    small = after.islower() or after.isdigit() or after in ("-", "–", "&")
    return small and "\n" not in stop[0] and _MAY_END.search(before) is not None


def _word_start(content: str, position: int, limit: int) -> int:
    """The first start of a word from ``position`` on, at most ``limit``."""
    if position == 0 or content[position - 1].isspace():
        return position
    space = next((n for n in range(position, min(limit, len(content))) if content[n].isspace()), None)
    return character_end(content, position) if space is None else space + 1


def _word_end(content: str, start: int, position: int) -> int:
    """The last end of a word before ``position``, unless less than half of the text from ``start`` is left.

    Then the word is cut: Chinese and Thai, JSON without spaces, addresses and base64 have no words to keep.
    """
    if position >= len(content) or content[position].isspace():
        return min(position, len(content))
    kept = content[start:position]
    word = "" if not kept.strip() or kept[-1].isspace() else kept.split()[-1]
    end = start + len(kept[: len(kept) - len(word)].rstrip())
    return end if 2 * (end - start) >= position - start else character_end(content, position)


def _marked(content: str, start: int, end: int) -> str:
    """The part of the text, with an ellipsis at each side where text is missing."""
    before = "…" if content[:start].strip() else ""
    after = "…" if content[end:].strip() else ""
    return f"{before}{content[start:end].strip()}{after}"
