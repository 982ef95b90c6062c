"""Readable labels for groups of texts, from the words that set each group apart from the others."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Final

from legacymind.text.keys import normalised
from legacymind.text.words import STOP_WORDS

_WORD: Final = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
_LEAST_LETTERS: Final = 3
_TERMS: Final = 4
_SEVERAL: Final = 6
"""From so many members on, a term is in at least two of them: one mention is no topic."""

_LABEL_LENGTH: Final = 60
"""Most characters of a label, unless its first term is longer."""

_NAMED: Final = 1.5
"""How much more the name of an entity weighs than another word of the same frequency."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A member of a group: its text, its tags, and the name if it is an entity."""

    text: str
    tags: Sequence[str] = ()
    name: str | None = None


def labels(groups: Iterable[Sequence[Labelled]]) -> list[str]:
    """A label for each group: up to four terms, separated by commas, the most characteristic first.

    Terms are words, tags and names of entities. A term's weight is the number of the group's texts with it,
    times log(1 + A / f), where f is the number of all texts with it and A the mean number of terms in a group
    (class-based tf-idf: Grootendorst 2022, BERTopic). A name weighs half as much again. Forms of one word
    count together and are written in their most frequent form, names as their entity is. In a group of six or
    more, a term is in two texts at least. A group without any term is called "unnamed".
    """
    members = [list(group) for group in groups]
    names = {normalised(one.name): one.name for group in members for one in group if one.name}
    counted = [_counted(group, names) for group in members]
    everywhere = Counter[str]()
    for frequencies, _ in counted:
        everywhere.update(frequencies)
    mean = everywhere.total() / len(counted) if counted else 0.0

    def weight(term: str, count: int) -> float:
        return count * log(1 + mean / everywhere[term]) * (_NAMED if term in names else 1.0)

    return [
        _label(
            {
                term: weight(term, count)
                for term, count in frequencies.items()
                if count > 1 or len(group) < _SEVERAL
            },
            forms,
        )
        for group, (frequencies, forms) in zip(members, counted, strict=True)
    ]


def _counted(
    group: Sequence[Labelled], names: Mapping[str, str]
) -> tuple[Counter[str], dict[str, Counter[str]]]:
    """How many members have each term, and how often each form of the term is written."""
    frequencies = Counter[str]()
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for member in group:
        found = _terms(member.text, names)
        if member.name:
            found[normalised(member.name)] = member.name
        for tag in member.tags:
            found[normalised(tag)] = tag
        frequencies.update(found.keys())
        for term, form in found.items():
            forms[term][form] += 1
    return frequencies, forms


def _terms(text: str, names: Mapping[str, str]) -> dict[str, str]:
    """The terms of a text and how each is written there."""
    words = [word.removesuffix("'s").removesuffix("’s") for word in _WORD.findall(text)]
    # Names of two or three words that the text mentions are terms of their own.
    phrases = [" ".join(pair) for pair in pairwise(words)]
    phrases += [" ".join(three) for three in zip(words, words[1:], words[2:], strict=False)]
    found = {key: names[key] for phrase in phrases if (key := normalised(phrase)) in names}
    for word in words:
        low = normalised(word)
        if len(low) < _LEAST_LETTERS or low in STOP_WORDS or {"'", "’"} & {*low}:
            continue
        if low in names:
            found[low] = names[low]
        else:
            found.setdefault(_stem(low), word)
    return found


def _stem(word: str) -> str:
    """The word without what forms of it differ in: a plural's ending and those of verbs."""
    for ending in ("ing", "ies", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_LETTERS:
            return word.removesuffix(ending)
    return word


def _label(weights: dict[str, float], forms: dict[str, Counter[str]]) -> str:
    chosen: list[tuple[str, set[str]]] = []  # each term as it is written, and the stems of its words
    for term, _ in sorted(weights.items(), key=lambda one: (-one[1], one[0])):
        form = min(forms[term].items(), key=lambda one: (-one[1], one[0]))[0]
        stems = {_stem(word) for word in normalised(form).split()}
        if any(stems <= others for _, others in chosen):
            continue
        # A name replaces its own words: "Gene Kranz" for "Kranz".
        place = next((n for n, (_, others) in enumerate(chosen) if others < stems), len(chosen))
        after = [one for one in chosen[place + 1 :] if not one[1] < stems]
        longer = [*chosen[:place], (form, stems), *after]
        if chosen and len(_joined(longer)) > _LABEL_LENGTH:
            continue
        chosen = longer
        if len(chosen) == _TERMS:
            break
    return _joined(chosen) or "unnamed"


def _joined(terms: Sequence[tuple[str, set[str]]]) -> str:
    return ", ".join(form for form, _ in terms)
