"""Recognises standing preferences and instructions: what a user asks for once and for all.

A default for texts whose sender does not say; who stores a text knows better, and sends ``standing``. Weights
of n-grams decide, which ``scripts/train_standing.py`` learns from the sentences of a file.
"""

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Final

from legacymind.text import words
from legacymind.text.excerpts import sentences

WEIGHTS: Final = Path(__file__).with_name("standing.json")

ANSWERING: Final = frozenset(("assistant", "ai", "agent", "bot", "model", "chatbot"))
"""Authors in lower case that answer the user; they have no preferences."""

_LONGEST: Final = 600
"""A longer text is most likely an answer or a report: its "Always check …" is advice and no instruction."""

_LEAST: Final = 0.9
"""The least probability."""

_TOKEN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]+(?:'[a-z]+)?|\d+|[?:]")


def is_standing(content: str, author: str | None = None) -> bool:
    """Whether a text of at most 600 characters states a standing preference, in any of its sentences.

    What an assistant says does not count.
    """
    if len(content) > _LONGEST or (author is not None and author.lower() in ANSWERING):
        return False
    return any(probability(content[start:end]) >= _LEAST for start, end in sentences(content))


def probability(sentence: str) -> float:
    """The probability that a sentence states a standing preference."""
    constant, weights = _learned()
    return 1 / (1 + math.exp(-constant - sum(weights.get(gram, 0.0) for gram in grams(sentence))))


def grams(sentence: str) -> set[str]:
    """The runs of one to three words of a sentence in lower case, with marks for its beginning and end."""
    tokens = ["^", *_TOKEN.findall(words.unified(sentence).lower()), "$"]
    return {" ".join(tokens[n : n + size]) for size in (1, 2, 3) for n in range(len(tokens) - size + 1)}


@cache
def _learned() -> tuple[float, dict[str, float]]:
    learned = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return learned["constant"], learned["weights"]
