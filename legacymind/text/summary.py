"""Extractive summaries: the sentences of several texts that together say most of what the texts share."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from legacymind.text.excerpts import excerpt, sentences
from legacymind.text.fulltext import word_stems
from legacymind.text.numbers import counted
from legacymind.text.passages import CODE_FENCE
from legacymind.text.standing import ANSWERING

_LENGTH: Final = 1_200
"""Characters of the sentences of a summary."""

_SHORT: Final = 20
"""Characters that are added to the length of a sentence when sentences compete, so that no tiny one wins."""

_BEGIN: Final = (
    r"(?:(?:oh|aw+|wow|yeah|yes|hey|hi|hello|well|ok(?:ay)?|haha|so|no|and|but|h+m+|lol|right|exactly|true|agreed"
    r"|indeed|me too|same here|got it|i see|makes sense|fine|sure|good (?:morning|evening|night|afternoon))\b"
    r"[,!?.… ]*)*"
)
_SORRY: Final = r"i(?:['’]| a)m (?:\w+ly |so |very )*(?:sorry(?! (?:that )?(?:i|we)\b)|glad|here for you)\b"

_COURTEOUS: Final = frozenset(
    """a about absolutely adorable ages agree agreed ah all alright always am amazing an and any
    anything anytime appreciate are around as at aw awesome aww awww back be beautiful been being
    believe best better big bit bless brilliant bro buddy bunch bye can can't care catch chat
    cheering cheers come comes coming completely congrats congratulations cool could crossed cute
    day definitely delicious delighted deserve do doing don't done dope dude easy else encourage
    encouragement encouraging enjoy er every everyone everything exactly excellent excited exciting
    fab fabulous fantastic feel feeling feels felt fine fingers folks for forever forward friend
    friends from fun get gets getting give gives glad go god goes going gonna good goodbye goodness
    goodnight gorgeous got gotta great guys ha haha hang happy have haven't having he'll hear heard
    hearing heart hearts heartwarming hehe hello help helped helpful helping here hey hi him his hm
    hmm hooray hope hoping how how's huge hurray i i'd i'll i'm i've impressive in incredible
    incredibly indeed inspire inspired inspires inspiring interesting is isn't it it'd it'll it's
    just keep keeping kidding kind kinda know later let let's like likewise listen listening lit
    little lol long look looking looks lot lots love loved lovely loves luck lucky man many matter
    maybe me mean means meant meet meeting mhm mind mine mm moment more morning motivate motivated
    motivates motivation much must my myself neat need needed never new nice nicely night no nope
    not nothing now of off oh ok okay okie on one only oo oof ooh our ours out over pal pals perfect
    please pleased pleasure plenty pretty probably problem problems proud push put quite rad reach
    ready real really reason relax right rock rocks rooting sad same say see seeing seen seriously
    share shared sharing should shout shows sick side since smile smiling so some someone something
    soon sorry sound sounded sounding sounds special spoke stand stay stop strong stunning such
    super support supported supporting sure sweet take talk talking tell thank thankful thanks that
    that'd that'll that's the their them then there there's they're thing things think this those
    thought thoughts through thx time times to today together tomorrow tonight too totally touch
    touching tough true truly try u uh um understand up us very wait want wanted warm was watch way
    we we'll we're we've welcome well what what's whatever when whenever whoa whole why will wish
    wishes wishing with woah wonderful woohoo words work worries worry worth would wow wraps yay
    yeah yep yes yet yikes you you'd you'll you're you've your yours yourself yum yummy yup""".split()
)
"""Words of greetings, thanks, praise and comfort, and those that say nothing without others."""

_DRAWN_OUT: Final = re.compile(r"([a-z])\1{2,}")
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_GREETING: Final = re.compile(
    r"(?:hey|hi|hello|bye|thanks|thank you|congrats|good (?:morning|evening|night|luck))[, ]+[A-Z]\w+[!.…]*",
    re.IGNORECASE,
)

_SYMPATHY: Final = re.compile(
    rf"{_BEGIN}(?:{_SORRY}|my (?:heart|thoughts|condolences|sympath\w+)\b|i (?:can (?:only )?imagine|hope"
    r"|(?:really |truly )*(?:feel for|appreciate) you"
    r"|(?:really |completely )*understand (?:how|why|your|what you))\b"
    r"|it(?:['’]s| is) (?:\w+ly |so |okay and )*(?:understandable|normal|natural|okay|ok)\b"
    r"|you(?:['’]re| are) (?:not alone|doing (?:great|your best))\b"
    r"|(?:that must (?:be|have been|feel)|(?:that|it) sounds|it must have been) "
    r"|thank you for (?:sharing|telling|trusting)\b)",
    re.IGNORECASE,
)
"""How an assistant begins to comfort, in a sentence of any length."""


_NO_PROSE: Final = re.compile(
    r"^[ \t>]*(?:```|~~~)[\s\S]*\Z|^[ \t]*(?:\||#{1,6} ).*$|^.*:[ \t]*$"
    r"|^(?:[-*>\d.]+[ \t]+)*\*\*[^*\n]+\*\*:?[ \t]*$",
    re.MULTILINE,
)
"""Code whose fence is not closed, rows of tables, headings, and lines that only introduce the next ones."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a text, by their numbers."""

    text: int
    place: int
    words: str
    stems: frozenset[str]

    def is_courtesy(self, names: Collection[str]) -> bool:
        """Whether it greets, thanks, praises or comforts, perhaps one of ``names``, and says nothing else."""
        short = _DRAWN_OUT.sub(r"\1", self.words.replace("’", "'").lower())
        words: list[str] = _WORD.findall(short)
        return _GREETING.fullmatch(self.words) is not None or all(
            word in _COURTEOUS or (len(word) > 2 and any(name.startswith(word) for name in names))
            for word in words
        )


def summary(texts: Sequence[str], authors: Sequence[str | None] = (), *, length: int = _LENGTH) -> str:
    """A line that counts the texts, and under it the chosen sentences in their order, each in its own words.

    A sentence follows the name of its author, if ``authors`` has those of the texts. Courtesies are left out,
    and an assistant's sympathy and what it says without a word of another text. Empty if nothing is left.

    A word weighs as much as there are other texts with it, and little if there are none. The sentence is
    taken that adds the greatest weight of words that no chosen one has, for its length, until ``length``
    characters are used or nothing is added (maximum coverage: Filatova and Hatzivassiloglou 2004). The same
    texts give the same summary.
    """
    names = {name for author in authors for name in (author or "").lower().split()}
    everything = [one for one in _sentences(texts) if not one.is_courtesy(names)]
    by_text: dict[int, set[str]] = defaultdict(set)
    for one in everything:
        by_text[one.text] |= one.stems
    shared = Counter(stem for stems in by_text.values() for stem in stems)
    weights = {stem: count - 1 + 0.1 for stem, count in shared.items()}
    named = dict(enumerate(authors))
    everything = [
        one
        for one in everything
        if (named.get(one.text) or "").lower() not in ANSWERING
        or (not _SYMPATHY.match(one.words) and any(shared[stem] > 1 for stem in one.stems))
    ]
    found = [*{one.words: one for one in reversed(everything)}.values()]  # each sentence once
    chosen: list[_Sentence] = []
    covered: set[str] = set()
    left = length
    while fitting := [one for one in found if one not in chosen and len(one.words) <= left]:
        gains = {one: sum(weights[stem] for stem in one.stems - covered) for one in fitting}
        best = min(fitting, key=lambda one: (-gains[one] / (len(one.words) + _SHORT), one.text, one.place))
        if not gains[best]:
            break
        chosen.append(best)
        covered |= best.stems
        left -= len(best.words)
    if not chosen:  # texts without words, such as numbers and signs
        chosen = [one for one in everything if re.search(r"\w", one.words)][:1]
    lines = [
        f"- {author}: {one.words}" if (author := named.get(one.text)) else f"- {one.words}"
        for one in sorted(chosen, key=lambda one: (one.text, one.place))
    ]
    if not lines:
        return ""
    return "\n".join([f"Summary of {counted(len(texts), 'thought')}:", *lines])


def _sentences(texts: Sequence[str]) -> list[_Sentence]:
    """The sentences of all texts that are not blank, without code, tables and headings."""
    found: list[_Sentence] = []
    for number, content in enumerate(texts):
        prose = _NO_PROSE.sub("\n", CODE_FENCE.sub("\n", content))
        for place, (start, end) in enumerate(sentences(prose)):
            words = excerpt(" ".join(prose[start:end].split()), 300)
            if words:
                found.append(_Sentence(number, place, words, frozenset(word_stems(words))))
    return found
