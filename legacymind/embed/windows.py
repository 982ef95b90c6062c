"""Texts longer than a model's input: cut into windows of whole sentences and pooled into one vector."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy.typing as npt

# With more windows than this, a single one is lost in their mean.
_MANY = 8

_SENTENCE_END = re.compile(r"""(?<![.!?…])[.!?…]++["'”’)\]]*+\s++|[。！？]++|\n++""")


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a text that fits the model's input."""

    text: int  # index in the call
    content: str
    tokens: int


def cut(
    text: str, offsets: Sequence[tuple[int, int]], words: Sequence[int | None], limit: int
) -> list[tuple[str, int]]:
    """Return the windows of a text, each with its number of tokens, at most ``limit``.

    A window is as many whole sentences as fit. ``offsets`` are the first and last-plus-one characters of each
    token, ``words`` the number of the word it belongs to. Where no sentence ends in the second half of a
    window, the cut is between two words, or, in a word that fills half a window, between two characters. So a
    text without full stops makes at most twice as many windows as necessary.
    """
    if len(offsets) <= limit:
        return [(text, len(offsets))]
    starts = [start for start, _ in offsets]
    # The tokens that begin a sentence.
    begins = [bisect_left(starts, match.end()) for match in _SENTENCE_END.finditer(text)]
    windows: list[tuple[str, int]] = []
    first = 0
    while first < len(starts):
        end = min(first + limit, len(starts))
        if end < len(starts):
            at = bisect_right(begins, end) - 1
            if at >= 0 and begins[at] > first + limit // 2:
                end = begins[at]
            else:
                end = _between_words(offsets, words, first + limit // 2, end)
        windows.append((text[starts[first] : offsets[end - 1][1]], end - first))
        first = end
    return windows


def _between_words(
    offsets: Sequence[tuple[int, int]], words: Sequence[int | None], least: int, most: int
) -> int:
    for end in range(most, least, -1):
        if words[end] is None or words[end] != words[end - 1]:
            return end
    for end in range(most, least, -1):
        if offsets[end][0] >= offsets[end - 1][1]:  # some tokens are part of a character
            return end
    return most


def cut_by_bytes(text: str, limit: int) -> list[tuple[str, int]]:
    """Return the windows of a text, each with its size, at most ``limit`` bytes of UTF-8; see ``cut``.

    For models without a local tokenizer. No tokenizer makes more tokens than bytes, so a window with as many
    bytes as the model accepts tokens always fits.
    """
    size = len(text.encode("utf-8", "replace"))
    if size <= limit:
        return [(text, size)]
    offsets: list[tuple[int, int]] = []
    words: list[int | None] = []
    word = 0
    for at, character in enumerate(text):
        if character.isspace():
            word += 1
        bytes_of_it = len(character.encode("utf-8", "replace"))
        offsets += [(at, at + 1)] * bytes_of_it
        words += [word] * bytes_of_it
    return cut(text, offsets, words, limit)


def runs(windows: Sequence[Window], limit: int, extra: int = 2) -> list[list[int]]:
    """Return the windows' indices in runs of at most ``limit`` tokens after padding.

    ``extra`` tokens frame each window. Windows are sorted by length, because a run costs the length of its
    longest text times their number.
    """
    batches: list[list[int]] = []
    for i in sorted(range(len(windows)), key=lambda i: windows[i].tokens):
        longest = windows[i].tokens + extra
        if not batches or longest * (len(batches[-1]) + 1) > limit:
            batches.append([])
        batches[-1].append(i)
    return batches


def unit(vector: "npt.ArrayLike") -> list[float]:
    """Return the unit vector of the same direction, in the single precision that Neo4j stores.

    The zero vector, which some models give for an empty text, becomes the first axis.
    """
    import numpy as np  # imported here, because processes that embed nothing need not wait for it

    exact = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(exact))
    if length == 0:
        exact, length = np.eye(1, exact.size)[0], 1.0
    return (exact / length).astype(np.float32).tolist()


def pooled(windows: Sequence[Window], vectors: Sequence[Sequence[float]], texts: int) -> list[list[float]]:
    """Return one unit vector for each of ``texts`` texts, from the unit vectors of its windows.

    It is the mean of the windows, weighted by their tokens, so that a last window of three words does not
    count as much as a full one. On LoCoMo with MiniLM, for finding the session of a conversation (640 tokens
    on average) that answers a question, the MRR was 49.1; unweighted 46.2; with only the first 256 tokens
    41.2; with windows of 128, 64 and 32 tokens 49.2, 48.6 and 48.3.

    The mean of many windows represents what a text is about and loses what it mentions once. So for more than
    eight windows a second mean is added with half the weight, in which each window is weighted by the eighth
    power of its distance from the first mean. Measured with a fact (one of twelve) at the end of ten LoCoMo
    conversations cut to 50 KB, 48 windows: for a question about the fact, the right conversation of the ten
    had rank 5.3 on average by the mean alone (5.5 is chance, and the result of the first window) and 3.6 with
    the outlying windows, 39 % at rank 1. Among these ten and 300 single turns, 0 % and 27 % were in the first
    ten. For questions about the conversations' subjects the MRR fell from 77.4 to 75.6. At 14 KB: 0 % and
    23 %, and 85.6 to 84.6. With three windows the second mean would cost 3.3 of 49.7, hence the limit of
    eight. More weight finds more facts and loses more subjects. One vector cannot represent both; full-text
    search finds a word in a long text.
    """
    import numpy as np

    parts: list[list[int]] = [[] for _ in range(texts)]
    for i, window in enumerate(windows):
        parts[window.text].append(i)
    pooled_vectors: list[list[float]] = []
    for part in parts:
        if len(part) == 1:
            pooled_vectors.append(list(vectors[part[0]]))
        else:
            weights = np.array([max(1, windows[i].tokens) for i in part], dtype=np.float64)
            matrix = np.array([vectors[i] for i in part], dtype=np.float64)
            mean = np.array(unit(weights @ matrix))
            if len(part) > _MANY:
                outlying = np.clip(1 - matrix @ mean, 1e-3, None) ** 8
                mean += np.array(unit((weights * outlying) @ matrix)) / 2
            pooled_vectors.append(unit(mean))
    return pooled_vectors
