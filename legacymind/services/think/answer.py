"""The part of an answer of think or recall that fits in its token budget."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Annotated, Final

from legacymind.model.about import about
from legacymind.model.think import Evidence, Memory, RecallResult, ThinkResult, Verification
from legacymind.model.values import MOST_TOKENS, whole
from legacymind.operations import budget
from legacymind.operations.results import jsonable
from legacymind.text import fulltext

ThinkTokens = Annotated[
    int | None,
    whole(100, MOST_TOKENS),
    about(
        "Token budget",
        "Token budget of the answer; `left_out` is the number of memories that did not fit. "
        "Default: 800, and from injection_scale 3 on 400 more a step, with the thoughts of a session 3,000, "
        "and twice that with `verbose_analysis`",
    ),
]
"""The ``max_tokens`` parameter of think and recall."""

_DEFAULT_TOKENS: Final = (800, 800, 800, 1_200, 1_600, 2_000)
"""Token budget by injection scale."""

_LENGTHS: Final = (400, 330, 270, 210, 150, 110)
"""Characters of texts that are not returned in full; a shorter length is used if not all memories fit."""

_FIRST: Final = 3
"""The first memories, which are cut least, and returned in full if the budget allows."""

_ANALYSIS_SHARE: Final = 3
"""An analysis that leaves less than a third of the budget for memories and evidence is left out."""

_LISTS: Final = 36
"""Tokens of the names and brackets of lists that are measured by their items, and of the line `data`."""


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """How much of a result to return; without ``max_tokens``, the default of its injection scale."""

    verbose: bool = False
    max_tokens: int | None = None

    def budget(self, scale: int) -> int:
        """The token budget of memories that were recalled at an injection scale."""
        return self.max_tokens or _DEFAULT_TOKENS[scale] * (2 if self.verbose else 1)


def answer(result: ThinkResult, content: str, scale: int, options: AnswerOptions) -> ThinkResult:
    """Cut an answer with whole texts to its budget.

    Memories are cut around the sentence that shares the most words with ``content``, and evidence around
    that with the most words of the hypothesis. Evidence gets half of the budget, or more if memories need
    less. An analysis is left out if it would take most of the budget; it is stored with the thought.
    """
    allowed, shown = options.budget(scale), result
    left = allowed - _frame(shown)
    if left < allowed // _ANALYSIS_SHARE and shown.framework_analysis is not None:
        shown = replace(shown, framework_analysis=None)
        left = allowed - _frame(shown)
    words = fulltext.word_stems(content)
    evidence: list[Evidence] = []
    if shown.verification is not None and result.verification is not None:
        wanted = sum(map(budget.size, _fit(shown.memories, MOST_TOKENS, words)))
        evidence = _fit(
            [*_alternating(shown.verification), *shown.verification.near],
            max(left // 2, left - wanted),
            fulltext.word_stems(result.verification.hypothesis),
        )
        left -= sum(map(budget.size, evidence))

    def part(left: int) -> ThinkResult:
        memories = _fit_memories(shown.memories, left, words)
        return replace(_with(shown, memories, evidence), left_out=len(shown.memories) - len(memories))

    return budget.fill(part, left, allowed)


def answer_recall(result: RecallResult, content: str, options: AnswerOptions) -> RecallResult:
    """Cut an answer of recall as ``answer`` cuts one of think."""
    frame = budget.tokens(jsonable(replace(result, memories=[]))) + _LISTS
    left = options.budget(result.injection_scale) - frame
    kept = _fit_memories(result.memories, left, fulltext.word_stems(content))
    return replace(result, memories=kept, left_out=len(result.memories) - len(kept))


def _frame(result: ThinkResult) -> int:
    """The tokens of a result apart from memories and evidence."""
    return budget.tokens(jsonable(_with(result, [], []))) + _LISTS


def _fit(items: list[budget.Item], left: int, words: Sequence[str], *, first: int = 0) -> list[budget.Item]:
    """The items that fit, with excerpts; none if not even the first one fits."""
    fitting, _ = budget.fit_excerpts(items, left, words, lengths=_LENGTHS, first=first)
    return fitting if sum(map(budget.size, fitting)) <= left else []


def _fit_memories(memories: list[Memory], left: int, words: Sequence[str]) -> list[Memory]:
    """The memories that fit, in their order.

    If not all fit, the last thoughts and the last knowledge are left out alike: names and facts are often
    nearer than the thought that answers.
    """
    fitting = _fit(memories, left, words, first=_FIRST)
    in_turn = _in_turn(memories)
    if len(fitting) < len(in_turn) and in_turn != memories:
        kept = {memory.id: memory for memory in _fit(in_turn, left, words, first=_FIRST)}
        fitting = [kept[memory.id] for memory in memories if memory.id in kept]
    return fitting


def _alternating(verification: Verification) -> list[Evidence]:
    """The evidence of both sides in turn, so that a budget cuts both alike."""
    pairs = zip_longest(verification.supporting, verification.contradicting)
    return [item for item in chain.from_iterable(pairs) if item is not None]


def _in_turn(memories: Sequence[Memory]) -> list[Memory]:
    """Thoughts and knowledge in turn, each in its order, and before a memory those above it that it names."""
    kinds: dict[bool, list[Memory]] = {}
    for memory in memories:
        kinds.setdefault(memory.kind == "thought", []).append(memory)
    places = {memory.id: place for place, memory in enumerate(memories)}
    ordered: dict[str, Memory] = {}

    def add(memory: Memory) -> None:
        for named in (memory.revised_by, memory.contradicted_by, memory.solved_by):
            if named in places and places[named] < places[memory.id]:
                add(memories[places[named]])
        ordered.setdefault(memory.id, memory)

    for turn in zip_longest(*kinds.values()):
        for memory in turn:
            if memory is not None:
                add(memory)
    return list(ordered.values())


def _with(result: ThinkResult, memories: list[Memory], evidence: list[Evidence]) -> ThinkResult:
    """The result with these memories, and of the evidence only this."""
    tested = result.verification
    if tested is not None:
        ids = {item.id: item for item in evidence}
        tested = replace(
            tested,
            supporting=[ids[item.id] for item in tested.supporting if item.id in ids],
            contradicting=[ids[item.id] for item in tested.contradicting if item.id in ids],
            near=[ids[item.id] for item in tested.near if item.id in ids],
        )
    return replace(result, memories=memories, verification=tested)
